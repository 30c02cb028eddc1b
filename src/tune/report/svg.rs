//! The few shapes of an SVG picture that are needed.

use std::fmt::Write as _;

/// A picture that grows.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    size: (f64, f64),
    body: String,
}

impl Picture {
    /// An empty picture on white.
    pub fn new(width: f64, height: f64) -> Picture {
        let mut picture = Picture {
            size: (width, height),
            body: String::new(),
        };
        picture.rectangle((0.0, 0.0), (width, height), "#ffffff");
        picture
    }

    /// A filled rectangle from its upper left corner.
    pub fn rectangle(&mut self, corner: (f64, f64), size: (f64, f64), fill: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(
            self.body,
            r#"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" fill="{fill}"/>"#,
            corner.0, corner.1, size.0, size.1
        );
    }

    /// A line through points.
    pub fn line(&mut self, points: &[(f64, f64)], colour: &str, width: f64) {
        let points: Vec<String> = points
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        let _ = writeln!(
            self.body,
            r#"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="{width}"/>"#,
            points.join(" ")
        );
    }

    /// A text; `anchor` says what of it is at the place: `start`, `middle` or `end`.
    pub fn text(&mut self, place: (f64, f64), size: f64, anchor: &str, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(
            self.body,
            r##"<text x="{:.1}" y="{:.1}" font-size="{size}" text-anchor="{anchor}" fill="#202020">{text}</text>"##,
            place.0, place.1
        );
    }

    /// The text of the file.
    pub fn finish(self) -> String {
        let (width, height) = self.size;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"sans-serif\">\n{}</svg>\n",
            self.body
        )
    }
}
