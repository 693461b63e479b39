// SPDX-License-Identifier: Apache-2.0
package io.longhaul.tidy;

import static java.util.Map.entry;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The modules of Longhaul by folder, and the arrows between them: what each may depend on. */
final class Modules {
    private static final String SERVER = "server";
    private static final String CLIENT = "client";
    private static final String AUTHORIZATION = "authorization";
    private static final String OAUTH = "oauth";
    private static final String OBSERVE = "observe";
    private static final String CONSOLE = "console";
    private static final String ENGINE = "engine";
    private static final String FAKES = "fakes";
    private static final String PROTOCOL = "protocol";
    private static final String SCHEMA = "schema";
    private static final String RECEIVER = "receiver";
    private static final String REQUESTOR = "requestor";
    private static final String TRANSPORT = "transport";
    private static final String HTTP = "transport-http";
    private static final String SERVLET = "transport-servlet";
    private static final String STORE = "store-jdbc";
    private static final String POSTGRES = "store-postgres";
    private static final String SHELL = "backends/shell";
    private static final String APIS = "backends/http";
    private static final String TEMPORAL = "backends/temporal";
    private static final String BENCH = "bench";
    private static final String RELIABILITY = "reliability";

    static final Map<String, String> ROOT_PACKAGE = Map.ofEntries(
            entry(ENGINE, "io.longhaul.engine"),
            entry(PROTOCOL, "io.longhaul.protocol"),
            entry(FAKES, "io.longhaul.fakes"),
            entry("store-contract", "io.longhaul.store.contract"),
            entry("test", "io.longhaul.test"),
            entry("testkit", "io.longhaul.testkit"),
            entry(STORE, "io.longhaul.store.jdbc"),
            entry(POSTGRES, "io.longhaul.store.postgres"),
            entry(SCHEMA, "io.longhaul.schema"),
            entry(RECEIVER, "io.longhaul.receiver"),
            entry(REQUESTOR, "io.longhaul.requestor"),
            entry(TRANSPORT, "io.longhaul.transport"),
            entry(HTTP, "io.longhaul.transport.http"),
            entry(SERVLET, "io.longhaul.transport.servlet"),
            entry(SERVER, "io.longhaul.server"),
            entry(CLIENT, "io.longhaul.client"),
            entry("client-tasks", "io.longhaul.client.tasks"),
            entry("gateway", "io.longhaul.gateway"),
            entry(AUTHORIZATION, "io.longhaul.authorization"),
            entry(OAUTH, "io.longhaul.oauth"),
            entry(OBSERVE, "io.longhaul.observe"),
            entry(CONSOLE, "io.longhaul.console"),
            entry(SHELL, "io.longhaul.backend.shell"),
            entry(APIS, "io.longhaul.backend.http"),
            entry(TEMPORAL, "io.longhaul.backend.temporal"),
            entry("spring-boot-starter", "io.longhaul.spring"),
            entry("conformance", "io.longhaul.conformance"),
            entry(BENCH, "io.longhaul.bench"),
            entry(RELIABILITY, "io.longhaul.reliability"),
            entry("examples", "io.longhaul.examples"),
            entry("examples/spring", "io.longhaul.examples.spring"),
            entry("cli", "io.longhaul.cli"),
            entry("fuzz", "io.longhaul.fuzz"),
            entry("dist", "io.longhaul.dist"));

    static final Map<String, Set<String>> ARROWS = Map.ofEntries(
            entry(ENGINE, Set.of()),
            entry(PROTOCOL, Set.of()),
            entry(FAKES, Set.of(ENGINE, PROTOCOL)),
            entry("store-contract", Set.of(ENGINE, FAKES)),
            entry("test", Set.of(FAKES, SERVER, CLIENT)),
            entry("testkit", Set.of(ENGINE, PROTOCOL, FAKES)),
            entry(STORE, Set.of(ENGINE)),
            entry(POSTGRES, Set.of(ENGINE, STORE)),
            entry(SCHEMA, Set.of(PROTOCOL)),
            entry(RECEIVER, Set.of(ENGINE, SCHEMA)),
            entry(REQUESTOR, Set.of(PROTOCOL)),
            entry(TRANSPORT, Set.of(PROTOCOL)),
            entry(HTTP, Set.of(PROTOCOL, TRANSPORT)),
            entry(SERVLET, Set.of(PROTOCOL, TRANSPORT)),
            entry(SERVER, Set.of(RECEIVER, TRANSPORT)),
            entry(CLIENT, Set.of(REQUESTOR, SCHEMA, TRANSPORT)),
            entry(AUTHORIZATION, Set.of(PROTOCOL)),
            entry(OAUTH, Set.of(PROTOCOL, HTTP)),
            entry(OBSERVE, Set.of(SERVER, HTTP)),
            entry(CONSOLE, Set.of(SERVER)),
            entry("client-tasks", Set.of(CLIENT, STORE)),
            entry("gateway", Set.of(SERVER, CLIENT)),
            entry(SHELL, Set.of(ENGINE)),
            entry(APIS, Set.of(ENGINE)),
            entry(TEMPORAL, Set.of(ENGINE)),
            entry("spring-boot-starter", Set.of(SERVER, SERVLET, STORE, POSTGRES, OBSERVE, CONSOLE)),
            entry(
                    "conformance",
                    Set.of(
                            SERVER,
                            CLIENT,
                            "client-tasks",
                            "gateway",
                            AUTHORIZATION,
                            HTTP,
                            STORE,
                            POSTGRES,
                            RELIABILITY)),
            entry(BENCH, Set.of(SERVER, HTTP, STORE, POSTGRES)),
            entry(RELIABILITY, Set.of(SERVER, HTTP, SHELL, "client-tasks", POSTGRES)),
            entry("examples/spring", Set.of("spring-boot-starter")),
            entry("examples", Set.of(SERVER, CONSOLE, CLIENT, "client-tasks", HTTP, STORE, TEMPORAL)),
            entry(
                    "cli",
                    Set.of(
                            ENGINE,
                            PROTOCOL,
                            STORE,
                            POSTGRES,
                            RECEIVER,
                            TRANSPORT,
                            HTTP,
                            SERVER,
                            CLIENT,
                            "client-tasks",
                            "gateway",
                            AUTHORIZATION,
                            OAUTH,
                            OBSERVE,
                            CONSOLE,
                            SHELL,
                            APIS,
                            TEMPORAL,
                            RELIABILITY,
                            BENCH)),
            entry("fuzz", Set.of()),
            entry("dist", Set.of("cli")));

    private Modules() {}

    /** The modules that one may use: those its arrows point to, and what these depend on in turn. */
    static Set<String> reachable(String module) {
        var reached = new LinkedHashSet<String>();
        ARROWS.get(module).forEach(next -> {
            reached.add(next);
            reached.addAll(reachable(next));
        });
        return reached;
    }

    static String artifact(String module) {
        return "longhaul-" + module.replace("backends/", "backend-").replace('/', '-');
    }
}
