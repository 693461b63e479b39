// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.receiver.observe.ServerEvent;
import java.time.Duration;
import java.util.List;

/** Where the cases are shown: a whole server that can be killed, several nodes over one store, or a gateway. */
interface Place extends AutoCloseable {

    Way way();

    /** Whether the work is at a server behind a gateway, which alone knows what waits for a slot. */
    default boolean isBehindGateway() {
        return false;
    }

    Steering works();

    /** What observers of the server were told so far. */
    List<ServerEvent> events();

    void pass(Duration duration);

    /** Lets time pass as soon as the server waits for exactly so much of it, where time moves when a test says so. */
    void passWhenAwaited(Duration duration);

    /** Kills what is there, and gives what is started after it over the same store. */
    Place kill();

    @Override
    void close();
}
