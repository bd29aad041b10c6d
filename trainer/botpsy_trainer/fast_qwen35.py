def accelerate(network):
    return False
