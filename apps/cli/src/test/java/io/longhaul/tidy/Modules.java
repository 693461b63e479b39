// SPDX-License-Identifier: Apache-2.0
package io.longhaul.tidy;

import static java.util.Map.entry;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The modules of Longhaul by folder, and the arrows between them: what each may depend on. */
final class Modules {
    private static final String SERVER = "core/server";
    private static final String CLIENT = "core/client";
    private static final String AUTHORIZATION = "auth/client";
    private static final String OAUTH = "auth/server";
    private static final String OBSERVE = "apps/observe";
    private static final String CONSOLE = "apps/console";
    private static final String ENGINE = "core/engine";
    private static final String ENGINE_TESTS = "core/engine/tests";
    private static final String RECEIVER_TESTS = "core/receiver/tests";
    private static final String FAKES = "testing/fakes";
    private static final String PROTOCOL = "core/protocol";
    private static final String SCHEMA = "core/schema";
    private static final String RECEIVER = "core/receiver";
    private static final String REQUESTOR = "core/requestor";
    private static final String TRANSPORT = "transports/common";
    private static final String HTTP = "transports/http";
    private static final String SERVLET = "transports/servlet";
    private static final String STORE = "stores/sqlite";
    private static final String POSTGRES = "stores/postgres";
    private static final String SHELL = "work/shell";
    private static final String APIS = "work/http";
    private static final String TEMPORAL = "work/temporal";
    private static final String CLI = "apps/cli";
    private static final String GATEWAY = "apps/gateway";
    private static final String FILE = "apps/file";
    private static final String RELIABILITY = "lab/reliability";

    static final Map<String, String> ROOT_PACKAGE = Map.ofEntries(
            entry(ENGINE, "io.longhaul.engine"),
            entry(ENGINE_TESTS, "io.longhaul.engine.tests"),
            entry(RECEIVER_TESTS, "io.longhaul.receiver.tests"),
            entry(PROTOCOL, "io.longhaul.protocol"),
            entry(FAKES, "io.longhaul.fakes"),
            entry("stores/contract", "io.longhaul.store.contract"),
            entry("testing/test", "io.longhaul.test"),
            entry("testing/testkit", "io.longhaul.testkit"),
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
            entry(GATEWAY, "io.longhaul.gateway"),
            entry(FILE, "io.longhaul.file"),
            entry(AUTHORIZATION, "io.longhaul.authorization"),
            entry(OAUTH, "io.longhaul.oauth"),
            entry(OBSERVE, "io.longhaul.observe"),
            entry(CONSOLE, "io.longhaul.console"),
            entry(SHELL, "io.longhaul.backend.shell"),
            entry(APIS, "io.longhaul.backend.http"),
            entry(TEMPORAL, "io.longhaul.backend.temporal"),
            entry("apps/spring", "io.longhaul.spring"),
            entry("lab/conformance", "io.longhaul.conformance"),
            entry("lab/bench", "io.longhaul.bench"),
            entry(RELIABILITY, "io.longhaul.reliability"),
            entry("examples", "io.longhaul.examples"),
            entry("examples/spring", "io.longhaul.examples.spring"),
            entry(CLI, "io.longhaul.cli"),
            entry("lab/fuzz", "io.longhaul.fuzz"),
            entry("release/dist", "io.longhaul.dist"));

    static final Map<String, Set<String>> ARROWS = Map.ofEntries(
            entry(ENGINE, Set.of()),
            entry(ENGINE_TESTS, Set.of()),
            entry(RECEIVER_TESTS, Set.of()),
            entry(PROTOCOL, Set.of()),
            entry(FAKES, Set.of(ENGINE, PROTOCOL)),
            entry("stores/contract", Set.of(ENGINE, FAKES)),
            entry("testing/test", Set.of(FAKES, SERVER, CLIENT)),
            entry("testing/testkit", Set.of(ENGINE, PROTOCOL, FAKES)),
            entry(STORE, Set.of(ENGINE)),
            entry(POSTGRES, Set.of(ENGINE, STORE)),
            entry(SCHEMA, Set.of(PROTOCOL)),
            entry(RECEIVER, Set.of(ENGINE, SCHEMA)),
            entry(REQUESTOR, Set.of(PROTOCOL)),
            entry(TRANSPORT, Set.of(PROTOCOL)),
            entry(HTTP, Set.of(PROTOCOL, TRANSPORT)),
            entry(SERVLET, Set.of(PROTOCOL, TRANSPORT)),
            entry(SERVER, Set.of(RECEIVER, TRANSPORT)),
            entry(CLIENT, Set.of(REQUESTOR, SCHEMA, STORE, TRANSPORT)),
            entry(AUTHORIZATION, Set.of(PROTOCOL)),
            entry(OAUTH, Set.of(PROTOCOL, HTTP)),
            entry(OBSERVE, Set.of(SERVER, HTTP)),
            entry(CONSOLE, Set.of(SERVER)),
            entry(GATEWAY, Set.of(SERVER, CLIENT)),
            entry(
                    FILE,
                    Set.of(
                            ENGINE,
                            PROTOCOL,
                            SCHEMA,
                            RECEIVER,
                            TRANSPORT,
                            HTTP,
                            SERVER,
                            GATEWAY,
                            AUTHORIZATION,
                            OAUTH,
                            SHELL,
                            APIS,
                            TEMPORAL)),
            entry(SHELL, Set.of(ENGINE)),
            entry(APIS, Set.of(ENGINE)),
            entry(TEMPORAL, Set.of(ENGINE)),
            entry("apps/spring", Set.of(SERVER, FILE, SERVLET, STORE, POSTGRES, OBSERVE, CONSOLE)),
            entry(
                    "lab/conformance",
                    Set.of(SERVER, CLIENT, GATEWAY, AUTHORIZATION, HTTP, STORE, POSTGRES, RELIABILITY)),
            entry("lab/bench", Set.of(CLI, SERVER, HTTP, STORE, POSTGRES)),
            entry(RELIABILITY, Set.of(CLI, SERVER, HTTP, SHELL, CLIENT, STORE, POSTGRES)),
            entry("examples/spring", Set.of("apps/spring")),
            entry("examples", Set.of(SERVER, CONSOLE, CLIENT, HTTP, STORE, TEMPORAL)),
            entry(
                    CLI,
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
                            GATEWAY,
                            FILE,
                            AUTHORIZATION,
                            OAUTH,
                            OBSERVE,
                            CONSOLE,
                            SHELL,
                            APIS,
                            TEMPORAL)),
            entry("lab/fuzz", Set.of()),
            entry("release/dist", Set.of(CLI)));

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
        String name = ROOT_PACKAGE.get(module).replace("io.longhaul.", "");
        return "longhaul-" + (name.equals("spring") ? "spring-boot-starter" : name.replace('.', '-'));
    }
}
