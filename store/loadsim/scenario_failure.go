package loadsim

import (
	"context"
	"fmt"
	"time"
)

// OneServerKilled is like Orders, with two servers, of which one is killed. If the killed
// server has not answered a request, the user sends it to the other one.
func OneServerKilled(perSecond int) Scenario {
	s := Orders(perSecond)
	s.Name += " on two servers, of which one is killed"
	s.Servers = 2
	s.meanwhile = func(_ context.Context, l *load) error {
		time.Sleep(l.Measured / 2)
		l.kill()
		time.Sleep(l.Measured / 2)
		return nil
	}
	return s
}

// FailingPartition is like Orders, but the partition with the first shard of the list of
// orders rejects a share of its requests.
func FailingPartition(perSecond int, share float64) Scenario {
	s := Orders(perSecond)
	s.Name += fmt.Sprintf(", while a partition of an index rejects %.0f %% of its requests", 100*share)
	s.Measured = 20 * time.Second // longer than usual, because few operations write to this shard
	s.meanwhile = func(_ context.Context, l *load) error {
		l.engine.Fail("GSI3", "orders#0", share)
		time.Sleep(l.Measured)
		return nil
	}
	return s
}
