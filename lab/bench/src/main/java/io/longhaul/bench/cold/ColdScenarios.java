// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.cold;

import io.longhaul.bench.http.Workload;
import io.longhaul.bench.run.BenchSettings;
import io.longhaul.bench.run.Scenario;
import java.util.List;
import java.util.stream.Stream;

/** All scenarios of a server in the first seconds of its load. */
public final class ColdScenarios {

    private static final List<Workload> WORKLOADS = List.of(
            Workload.CALL_SESSION,
            Workload.CALL_STATELESS,
            Workload.CREATE_SESSION,
            Workload.CREATE_STATELESS,
            Workload.CYCLE);

    private ColdScenarios() {}

    /** The scenarios in their order, each compared with the echo of a warm server. */
    public static List<Scenario> of(BenchSettings settings) {
        return WORKLOADS.stream()
                .flatMap(workload -> Stream.of(ClassArchive.Kind.values())
                        .<Scenario>map(kind -> new ColdLoad(workload, kind, settings)))
                .toList();
    }
}
