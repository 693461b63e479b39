package io.longhaul.protocol.dialect;

import io.longhaul.protocol.dialect.operations.ClientOperations;
import io.longhaul.protocol.dialect.operations.Operations;
import io.longhaul.protocol.dialect.resume.ClientResumeTokens;
import io.longhaul.protocol.dialect.resume.ResumeTokens;
import io.longhaul.protocol.dialect.tasks1686.ClientRequestorTasks;
import io.longhaul.protocol.dialect.tasks1686.RequestorTasks;
import io.longhaul.protocol.dialect.toolsasync.ClientToolsAsync;
import io.longhaul.protocol.dialect.toolsasync.ToolsAsync;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The drafts that this version speaks beside the revisions. To drop a draft, delete its package and its line here; no
 * other class names it.
 */
final class Drafts {

    /** Drafts with a version of their own that sessions agree on. */
    static final Map<Generation, Dialect> SESSIONS = new LinkedHashMap<>();

    /** Drafts that claim single messages in the sessions of others, in the order in which they are asked. */
    static final Map<Generation, Overlay> OVERLAYS = new LinkedHashMap<>();

    private static final Map<Generation, Supplier<ClientDialect>> CLIENTS = new LinkedHashMap<>();

    static {
        overlay(Generation.SEP_1686, new RequestorTasks(), ClientRequestorTasks::new);
        overlay(Generation.TOOLS_ASYNC, new ToolsAsync(), ClientToolsAsync::new);
        overlay(Generation.SEP_1003, new ResumeTokens.OnCalls(), ClientResumeTokens::new);
        session(Generation.NEXT, new Operations(), ClientOperations::new);
    }

    private Drafts() {}

    /** The client's side of a draft, or empty where the generation is none that is listed here. */
    static Optional<ClientDialect> client(Generation generation) {
        return Optional.ofNullable(CLIENTS.get(generation)).map(Supplier::get);
    }

    private static void overlay(Generation draft, Overlay overlay, Supplier<ClientDialect> client) {
        OVERLAYS.put(draft, overlay);
        CLIENTS.put(draft, client);
    }

    private static void session(Generation draft, Dialect session, Supplier<ClientDialect> client) {
        SESSIONS.put(draft, session);
        CLIENTS.put(draft, client);
    }
}
