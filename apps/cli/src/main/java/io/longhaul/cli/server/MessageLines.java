// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.server;

import io.longhaul.cli.text.SafeText;
import io.longhaul.console.LoggedMessage;
import io.longhaul.console.MessageLog;
import io.longhaul.file.ServerFile;
import io.longhaul.file.tool.ToolEntry;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Logs one line at INFO for each message of a client that passes a filter, under {@code io.longhaul.messages}, for the
 * developer of a file. Thread-safe.
 */
final class MessageLines {
    private static final Logger LOG = LoggerFactory.getLogger("io.longhaul.messages");
    private static final int COLUMNS = 200;

    /** What is before the part of a message that differs. */
    private static final Pattern HEAD = Pattern.compile("^\\{.*?\"(?:params|result|error)\":");

    private final Map<String, String> filter;
    private volatile Set<String> secrets = Set.of();

    /** @param filter the client, tool or task of the logged messages by these words; empty for all messages */
    MessageLines(Map<String, String> filter) {
        this.filter = Map.copyOf(filter);
    }

    /** A log of messages that are told by lines. */
    MessageLog log() {
        return new MessageLog(InstantSource.system(), name -> secrets.contains(name), this::tell);
    }

    /** Masks from now on the arguments whose schema in the file says that they are secret. */
    void serving(ServerFile file) {
        var found = new HashSet<String>();
        file.tools().stream().map(ToolEntry::inputSchema).forEach(schema -> collect(schema, found));
        secrets = Set.copyOf(found);
    }

    private static void collect(JsonNode schema, Set<String> found) {
        schema.path("properties").forEachEntry((name, property) -> {
            if (property.path("writeOnly").asBoolean(false)
                    || property.path("format").asString("").equals("password")) {
                found.add(name);
            }
        });
        schema.forEach(inner -> collect(inner, found));
    }

    private void tell(LoggedMessage message) {
        var request = message.request();
        if (LOG.isInfoEnabled()
                && passes("client", request.client().name())
                && passes("tool", request.tool())
                && passes("task", request.task())) {
            LOG.info("{}", line(message));
        }
    }

    private boolean passes(String word, @Nullable String value) {
        return !filter.containsKey(word) || Objects.equals(filter.get(word), value);
    }

    private static String line(LoggedMessage message) {
        var request = message.request();
        var body = message.body();
        var line = new StringBuilder(request.client().toString())
                .append(message.isIncoming() ? " -> " : " <- ")
                .append(message.what());
        if (request.tool() != null) {
            line.append(' ').append(request.tool());
        }
        if (request.task() != null) {
            line.append(", task ").append(request.task());
        }
        line.append(", ").append(body.bytes()).append(" bytes ");
        return SafeText.fit(line + HEAD.matcher(body.text()).replaceFirst(""), COLUMNS);
    }
}
