"""What the gateway does with bundles in processes of its own, so that the event loop goes on."""
