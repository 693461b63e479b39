// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.dialect.control.ClientControl;
import io.longhaul.protocol.dialect.control.TaskControl;
import io.longhaul.protocol.dialect.operations.ClientOperations;
import io.longhaul.protocol.dialect.operations.Operations;
import io.longhaul.protocol.dialect.resume.ClientParts;
import io.longhaul.protocol.dialect.resume.ClientResumeTokens;
import io.longhaul.protocol.dialect.resume.ResumeTokens;
import io.longhaul.protocol.dialect.tasks1686.ClientRequestorTasks;
import io.longhaul.protocol.dialect.tasks1686.RequestorTasks;
import io.longhaul.protocol.dialect.toolsasync.ClientToolsAsync;
import io.longhaul.protocol.dialect.toolsasync.ToolsAsync;
import io.longhaul.protocol.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The drafts and the extensions of this build beside the revisions. To drop a draft or an extension, delete its package
 * and its line here; no other class names it.
 */
final class Drafts {

    /** Drafts with a version of their own that sessions can negotiate. */
    static final Map<Generation, Dialect> SESSIONS = new LinkedHashMap<>();

    /**
     * Overlays: drafts that claim single messages in sessions of other generations, in the order in which they are
     * asked.
     */
    static final Map<Generation, Overlay> OVERLAYS = new LinkedHashMap<>();

    /** Longhaul's own extensions, which are no generations: they apply to messages of every generation. */
    private static final List<Overlay> EXTENSIONS = new ArrayList<>();

    private static final List<ClientExtension> CLIENT_EXTENSIONS = new ArrayList<>();
    private static final Map<Generation, Supplier<ClientDialect>> CLIENTS = new LinkedHashMap<>();

    static {
        overlay(Generation.SEP_1686, new RequestorTasks(), ClientRequestorTasks::new);
        overlay(Generation.TOOLS_ASYNC, new ToolsAsync(), ClientToolsAsync::new);
        overlay(Generation.SEP_1003, new ResumeTokens.OnCalls(), ClientResumeTokens::new);
        session(Generation.NEXT, new Operations(), ClientOperations::new);
        EXTENSIONS.add(new TaskControl());
        CLIENT_EXTENSIONS.add(new ClientControl());
        CLIENT_EXTENSIONS.add(new ClientParts());
    }

    private Drafts() {}

    /** All overlays and extensions, in the order in which they are asked. */
    static List<Overlay> overlays() {
        return Stream.concat(OVERLAYS.values().stream(), EXTENSIONS.stream()).toList();
    }

    /** Encodes a call with the extension that has it, else with the generation {@code own}. */
    static Outgoing encode(Call call, ClientProfile me, ClientDialect own) {
        return CLIENT_EXTENSIONS.stream()
                .flatMap(extension -> extension.encode(call, me, own).stream())
                .findFirst()
                .orElseGet(() -> own.write(call, me));
    }

    /** Reads the result of a call as {@link #encode} has encoded the call. */
    static CallResponse decode(Call call, Json result, ClientDialect own) throws UnusableMessageException {
        for (var extension : CLIENT_EXTENSIONS) {
            var response = extension.decode(call, result, own);
            if (response.isPresent()) {
                return response.get();
            }
        }
        return own.read(call, result);
    }

    /** The client's side of a draft; empty where the generation is not listed here. */
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
