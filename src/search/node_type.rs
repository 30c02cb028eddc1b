//! The kinds of node: what is known when the code is compiled, and what is only expected.

/// What kind of node is searched; a type rather than a flag, so that each kind is compiled for itself.
pub trait NodeKind {
    /// The root of the search.
    const ROOT: bool;
    /// On a principal variation: searched with an open window.
    const PV: bool;
}

/// The root.
pub struct Root;
/// A node on a principal variation.
pub struct OnPv;
/// A node searched with a null window.
pub struct OffPv;

impl NodeKind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl NodeKind for OnPv {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl NodeKind for OffPv {
    const ROOT: bool = false;
    const PV: bool = false;
}

/// The type a node is expected to have (<https://www.chessprogramming.org/Node_Types>).
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum NodeType {
    /// Its score lies inside the window.
    Pv,
    /// Some move fails high.
    Cut,
    /// Every move fails low.
    All,
}

impl NodeType {
    /// The expected type of a child that is searched with a null window.
    pub fn child(self) -> NodeType {
        match self {
            NodeType::Cut => NodeType::All,
            NodeType::Pv | NodeType::All => NodeType::Cut,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_and_all_nodes_take_turns() {
        assert_eq!(NodeType::Cut.child(), NodeType::All);
        assert_eq!(NodeType::All.child(), NodeType::Cut);
        assert_eq!(NodeType::Pv.child(), NodeType::Cut);
    }
}
