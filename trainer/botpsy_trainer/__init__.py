"""The training worker of BotPsy: gradients, log-probabilities and samples behind the protocol of PROTOCOL.md."""

PROTOCOL = 1
VERSION = "0.1.0"
