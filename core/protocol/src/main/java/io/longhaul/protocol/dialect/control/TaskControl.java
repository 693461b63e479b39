// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.control;

import io.longhaul.protocol.call.CallResponse.Riding;
import io.longhaul.protocol.call.CallResponse.ServerProfile;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Overlay;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import java.util.Map;

/**
 * The extension {@code io.longhaul/tasks}: methods under that name, in the sessions of every version and in requests
 * that stand alone. A client reads, answers and cancels tasks with the methods of its own generation.
 */
public final class TaskControl implements Overlay {

    static final String PREFIX = Meta.TASK_CONTROL + "/";
    static final String LIST = PREFIX + "list";
    static final String GET = PREFIX + "get";
    static final String HISTORY = PREFIX + "history";
    static final String RETRY = PREFIX + "retry";
    static final String DELETE = PREFIX + "delete";
    static final String PURGE = PREFIX + "purge";

    private static final Json LISTS = Json.raw("{\"list\":{}}");

    @Override
    public boolean claims(Envelope message) {
        return message.method().startsWith(PREFIX);
    }

    @Override
    public boolean needsSession() {
        return false;
    }

    @Override
    public Dialect over(Dialect session, Revision version) {
        return new ControlDialect(session, version);
    }

    @Override
    public Riding announced(ServerProfile server, Revision version) {
        var lists = server.listsTasks() ? LISTS : Json.EMPTY_OBJECT;
        return server.offer().tasks() ? new Riding(Map.of(), Map.of(), Map.of(Meta.TASK_CONTROL, lists)) : Riding.NONE;
    }
}
