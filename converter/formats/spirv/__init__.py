"""SPIR-V graph modules and VGF files."""
