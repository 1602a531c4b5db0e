"""How an alert reaches people, one channel a module.

Each has `send(alert)`: bounded in time, DeliveryError when the other side did not take it.
"""
