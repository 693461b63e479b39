// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.connect;

import io.longhaul.protocol.call.Notice;
import io.longhaul.requestor.Registration;
import io.longhaul.testkit.InterleavingContract;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jspecify.annotations.Nullable;

/** The listeners to the news of a server, whatever threads begin and cease to listen. */
@Param(name = "thread", gen = ThreadIdGen.class)
public class NoticeListenersThreadsTest extends InterleavingContract {

    private final NoticeListeners listeners = new NoticeListeners();
    private final @Nullable Registration[] registrations = new Registration[5];
    private final ThreadLocal<List<Integer>> told = new ThreadLocal<>();

    public NoticeListenersThreadsTest() {
        listen(1);
    }

    @Operation
    public void listen(@Param(name = "thread") int thread) {
        if (registrations[thread] == null) {
            registrations[thread] = listeners.onNews(news -> told.get().add(thread));
        }
    }

    @Operation
    public void ceaseToListen(@Param(name = "thread") int thread) {
        var registration = registrations[thread];
        if (registration != null) {
            registration.close();
            registrations[thread] = null;
        }
    }

    /** Those that are told. */
    @Operation
    public List<Integer> tell() {
        told.set(new ArrayList<>());
        listeners.notify(new Notice.ToolsChanged());
        return told.get().stream().sorted().toList();
    }
}
