// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.peer;

import io.longhaul.bench.http.HttpScenarios;
import io.longhaul.bench.http.Workload;
import io.longhaul.bench.process.ProcessScenarios;
import io.longhaul.bench.run.BenchSettings;
import io.longhaul.bench.run.ChildProcess;
import io.longhaul.bench.run.Scenario;
import java.util.ArrayList;
import java.util.List;

/** A server on another library. Its folder has its sources and the versions of its dependencies. */
public enum Peer {
    TYPESCRIPT_1(
            "TypeScript SDK 1.x",
            Kit.TYPESCRIPT_1,
            "http",
            Workload.CALL_SESSION,
            Workload.CREATE_SESSION,
            Workload.GET_FINISHED_SESSION,
            Workload.CYCLE),
    TYPESCRIPT_2("TypeScript SDK 2.x", Kit.TYPESCRIPT_2, "http", Workload.CALL_SESSION, Workload.CALL_STATELESS),
    JAVA_STATELESS("Java SDK, stateless", Kit.JAVA, "stateless", Workload.CALL_SESSION),
    JAVA_SESSIONS("Java SDK, sessions", Kit.JAVA, "sessions", Workload.CALL_SESSION),
    QUARKUS("Quarkus, event loop", Kit.QUARKUS, "http", Workload.CALL_SESSION),
    QUARKUS_VIRTUAL("Quarkus, virtual threads", Kit.QUARKUS, "http", Workload.CALL_BLOCKING);

    private final String title;
    private final Kit kit;
    private final String mode;
    private final List<Workload> workloads;

    Peer(String title, Kit kit, String mode, Workload... workloads) {
        this.title = title;
        this.kit = kit;
        this.mode = mode;
        this.workloads = List.of(workloads);
    }

    public String title() {
        return title;
    }

    /** The scenarios of all peers; none where no peers are configured. */
    public static List<Scenario> scenarios(BenchSettings settings) {
        var peers = settings.programs().peers();
        var all = new ArrayList<Scenario>();
        if (peers == null) {
            return all;
        }
        var installation = new Installation(peers);
        for (var peer : values()) {
            for (var workload : peer.workloads) {
                all.add(HttpScenarios.peer(
                        workload,
                        peer.title,
                        folder -> ChildProcess.start(installation.command(peer.kit, peer.mode)),
                        settings));
            }
        }
        for (var peer : List.of(TYPESCRIPT_1, TYPESCRIPT_2, JAVA_SESSIONS)) {
            all.addAll(ProcessScenarios.peer(peer.title, folder -> installation.command(peer.kit, "stdio"), settings));
        }
        return all;
    }
}
