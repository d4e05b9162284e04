"""What tests share: models, graphs and cases, and the judges of them."""
