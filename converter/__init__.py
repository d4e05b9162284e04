"""TFLite models and XNNPACK graphs into TOSA, with proof."""
