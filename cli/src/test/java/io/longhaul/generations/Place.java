// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.receiver.observe.ServerEvent;
import java.time.Duration;
import java.util.List;

/** Where the cases are shown: a whole server that can be killed, or several nodes over one store. */
interface Place extends AutoCloseable {

    Way way();

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
