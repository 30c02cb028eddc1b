#!/bin/sh
# From nothing to the weights of the evaluation, by games of the engine against itself alone.
#
#   src/tune/recipe.sh FOLDER [PERCENT] [THREADS]
#
# FOLDER gets the data, the weights of each generation and their sums; PERCENT of the games are played (100). The last
# weights are in FOLDER/weights.rs and FOLDER/weights_by_king.rs, ready to replace those in src/chess/eval. Started again, it
# goes on where it was.
set -eu

folder=$1
percent=${2:-100}
threads=${3:-$(nproc)}
tree=$(cd "$(dirname "$0")/../.." && pwd)

# Each generation: seed, games, nodes for a move, nodes for the score of a position.
generations="1:2500:2000:4000 2:8000:2500:6000 3:16000:3000:8000 4:30000:4000:10000"
# The first data are of weak players; only these generations teach the last weights.
last_teachers="3 4"
settings="--lambda 0.8 --scale 155 --epochs 60"

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
copy=$folder/tree
rm -rf "$copy"
mkdir -p "$copy"
cp -r "$tree/src" "$tree/benches" "$tree/tests" "$tree/Cargo.toml" "$tree/Cargo.lock" "$copy"

# Builds the engine with the weights that are in the copy.
build() {
    RUSTFLAGS="-C target-cpu=native" CARGO_TARGET_DIR="$folder/target" \
        cargo build --quiet --release --locked --features tune --manifest-path "$copy/Cargo.toml"
    engine=$folder/target/release/lanternfish
}

# Puts weights into the copy: the name of their file without its end.
install() {
    cp "$1.rs" "$copy/src/chess/eval/weights.rs"
    cp "$1_by_king.rs" "$copy/src/chess/eval/weights_by_king.rs"
}

# Learns weights from nothing: the weights to write, then the data.
learn() {
    out=$1
    shift
    # shellcheck disable=SC2086
    "$engine" tune --from-nothing $settings --threads "$threads" --out "$out" "$@"
}

build
"$engine" first-weights "$folder/generation-0.rs"
install "$folder/generation-0"
before=""
for generation in $generations; do
    number=$(echo "$generation" | cut -d: -f1)
    games=$(($(echo "$generation" | cut -d: -f2) * percent / 100))
    nodes=$(echo "$generation" | cut -d: -f3)
    score_nodes=$(echo "$generation" | cut -d: -f4)
    data=$folder/generation-$number.bin
    build
    echo "generation $number: $games games, weights $(sha256sum "$copy/src/chess/eval/weights.rs" | cut -c1-16)"
    "$engine" datagen "$data" --seed "$number" --threads "$threads" --games "$games" --nodes "$nodes" \
        --score-nodes "$score_nodes"
    # A generation learns from its own games and from those before.
    before="$before $data"
    # shellcheck disable=SC2086
    learn "$folder/generation-$number.rs" $before
    install "$folder/generation-$number"
    before=$data
done

teachers=""
for number in $last_teachers; do
    teachers="$teachers $folder/generation-$number.bin"
done
# shellcheck disable=SC2086
learn "$folder/weights.rs" $teachers
(cd "$folder" && sha256sum generation-*.bin generation-*.rs weights*.rs | tee sums.txt)
