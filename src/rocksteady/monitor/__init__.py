"""Follow a body live: exact state, alarms, gaps in the data, a log that survives a power cut."""

from rocksteady.monitor.alarms import Alarm
from rocksteady.monitor.feed import Feed
from rocksteady.monitor.live import Monitor
from rocksteady.monitor.reading import Reading

__all__ = ["Alarm", "Feed", "Monitor", "Reading"]
