"""ATen's operators, which ExecuTorch computes by portable kernels, to TOSA."""
