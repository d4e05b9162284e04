"""The numpy kernels of the operators."""
