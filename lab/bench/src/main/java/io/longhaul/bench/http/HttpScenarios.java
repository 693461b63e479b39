// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import io.longhaul.bench.http.Memory.Held;
import io.longhaul.bench.http.StoredTasks.Kind;
import io.longhaul.bench.http.StoredTasks.Stock;
import io.longhaul.bench.run.BenchSettings;
import io.longhaul.bench.run.ChildProcess;
import io.longhaul.bench.run.Foreign;
import io.longhaul.bench.run.Scenario;
import io.longhaul.bench.run.Scratch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** All scenarios of servers that are reached over HTTP. */
public record HttpScenarios(BenchSettings settings, StoredTasks stored) {

    private static final List<Workload> OURS = Stream.of(Workload.values())
            .filter(workload -> workload != Workload.BARE && workload != Workload.CALL_BLOCKING)
            .toList();
    private static final List<Workload> GROWING =
            List.of(Workload.CREATE_SESSION, Workload.GET_FINISHED_SESSION, Workload.LIST);
    /** The limits of the measured server that differ from the defaults, in a sentence for people. */
    public static final String RAISED = MeasuredServer.RAISED;

    private static final List<Workload> GUARDED = List.of(
            Workload.CALL_SESSION,
            Workload.CALL_STATELESS,
            Workload.CREATE_SESSION,
            Workload.GET_FINISHED_SESSION,
            Workload.CYCLE);

    private static final String OTHER = " (other build)";

    /** The scenarios in their order; most others are compared with the first one. */
    public static List<Scenario> of(BenchSettings settings, StoredTasks stored) {
        return new HttpScenarios(settings, stored).all();
    }

    /** The load scenario of a peer's server. */
    public static Scenario peer(Workload workload, String name, MeasuredStart start, BenchSettings settings) {
        return Foreign.of(Load.foreign(workload, ", " + name, start, settings));
    }

    private List<Scenario> all() {
        var all = new ArrayList<Scenario>();
        all.add(new Load(Workload.BARE.title(), "", Workload.BARE, folder -> MeasuredStart.echo(), true, settings));
        for (var workload : OURS) {
            all.add(Load.of(workload, HttpScenarios::tools, settings));
            var against = settings.programs().against();
            if (against != null) {
                MeasuredStart other = folder -> MeasuredStart.tools(against, folder.file(MeasuredStart.TASKS));
                all.add(Foreign.of(Load.foreign(workload, OTHER, other, settings.withoutPicture())));
            }
        }
        GUARDED.forEach(workload -> all.add(guarded(workload)));
        all.add(gateway(Workload.CALL_SESSION));
        var sizes = settings.sizes();
        GROWING.forEach(workload -> {
            all.add(growing(workload, sizes.few()));
            all.add(growing(workload, sizes.many()));
        });
        all.add(new SideStream(sizes.few(), stored, settings));
        all.add(new SideStream(sizes.many(), stored, settings));
        all.add(new FanOut(sizes.listeners()));
        all.add(new Memory(Held.ON_ANSWER, sizes.waiting()));
        all.add(new Memory(Held.SUSPENDED, sizes.waiting()));
        all.add(new Memory(Held.ON_LATCH, sizes.waiting()));
        all.add(new Memory(Held.SESSION, sizes.listeners()));
        all.add(new Restart(new Stock(Kind.LIVE, sizes.waiting()), stored));
        all.add(new Restart(new Stock(Kind.FINISHED, sizes.waiting()), stored));
        all.add(new Restart(new Stock(Kind.FINISHED, sizes.many()), stored));
        return all;
    }

    /** The workload on a server with audit log, call log, rate limits and sealed tasks. */
    private Scenario guarded(Workload workload) {
        var main = settings.programs().guarded();
        MeasuredStart start =
                folder -> MeasuredStart.tools(BenchSettings.classPath(), main, folder.file(MeasuredStart.TASKS));
        var title = "guarded: " + workload.title();
        return new Load(title, workload.title(), workload, start, true, settings.withoutPicture());
    }

    /** The workload on a gateway before a server that it starts; the CPU is that of the gateway. */
    private Scenario gateway(Workload workload) {
        MeasuredStart start = folder -> MeasuredStart.gateway(folder.file(MeasuredStart.TASKS));
        var title = "gateway: " + workload.title();
        return new Load(title, workload.title(), workload, start, true, settings.withoutPicture());
    }

    private static ChildProcess tools(Scratch folder) throws Exception {
        return MeasuredStart.tools(folder.file(MeasuredStart.TASKS));
    }

    /** The workload on a server with a number of stored tasks. */
    private Scenario growing(Workload workload, int tasks) {
        MeasuredStart start = folder -> {
            Path file = folder.file(MeasuredStart.TASKS);
            stored.put(new Stock(Kind.FINISHED, tasks), file);
            return MeasuredStart.tools(file);
        };
        var few = settings.sizes().few();
        var base = tasks == few ? "" : over(few) + workload.title();
        return new Load(over(tasks) + workload.title(), base, workload, start, true, settings.withoutPicture());
    }

    private static String over(int tasks) {
        return String.format(Locale.ROOT, "over %,d stored tasks: ", tasks);
    }
}
