"""Why operators of TFLite that no rule starts from can't be converted, in a sentence each."""

_STRINGS = "TOSA has no strings: LiteRT's hash tables take them to 64-bit integers, or those to strings"

REFUSALS = {
    "tfl.concat_embeddings": "no runtime has a kernel of it, so nothing says what it computes",
    "tfl.hashtable": _STRINGS,
    "tfl.hashtable_find": _STRINGS,
    "tfl.hashtable_import": _STRINGS,
    "tfl.hashtable_size": _STRINGS,
    "tfl.lsh_projection": "it adds in fp64, a type that TOSA doesn't have",
    "tfl.skip_gram": "its operands and results are strings, which TOSA doesn't have",
    "tfl.stablehlo_custom_call": "what a custom call computes isn't in the file",
    "tfl.stablehlo_rng_bit_generator": "its state is of type ui64, which TOSA doesn't have",
}
