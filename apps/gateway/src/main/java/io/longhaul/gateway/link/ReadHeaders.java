// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.link;

import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.protocol.transport.client.TransportException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Headers whose values are read for each request to an upstream, and are never shown. The log tells once that a value
 * cannot be read, and once that it can be read again. Thread-safe.
 */
final class ReadHeaders implements RequestAuthorizer {

    private static final Logger LOG = LoggerFactory.getLogger(ReadHeaders.class);

    private final String upstream;
    private final Map<String, Callable<String>> values;
    private final Set<String> unread = ConcurrentHashMap.newKeySet();

    ReadHeaders(String upstream, Map<String, Callable<String>> values) {
        this.upstream = upstream;
        this.values = values;
    }

    @Override
    public Map<String, String> headers(String method) throws TransportException {
        var read = new HashMap<String, String>();
        for (var header : values.entrySet()) {
            read.put(header.getKey(), value(header.getKey(), header.getValue()));
        }
        return read;
    }

    private String value(String name, Callable<String> source) throws TransportException {
        try {
            var value = source.call();
            if (value.chars().anyMatch(c -> c < ' ' && c != '\t' || c >= 0x7f)) {
                throw new IllegalArgumentException("it has a line end or another control character");
            }
            if (unread.remove(name)) {
                LOG.info("the header {} for upstream {} can be read again", name, upstream);
            }
            return value;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            if (unread.add(name)) {
                LOG.error("the header {} for upstream {} cannot be read: {}", name, upstream, e.getMessage());
            }
            throw new TransportException(
                    TransportException.Kind.UNREACHABLE, "the header " + name + " cannot be read: see the log", e);
        }
    }

    @Override
    public boolean renew(Refusal refusal) {
        return false;
    }

    /** Shows no value. */
    @Override
    public String toString() {
        return "ReadHeaders" + values.keySet();
    }
}
