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
 * Values for an upstream that are read each time they are needed, and are never shown: headers for each request, and
 * variables for each start. The log tells once that a value cannot be read, and once that it can be read again.
 * Thread-safe.
 */
final class ReadValues implements RequestAuthorizer {

    private static final Logger LOG = LoggerFactory.getLogger(ReadValues.class);

    private final String upstream;
    private final String what;
    private final Map<String, Callable<String>> values;
    private final Set<String> unread = ConcurrentHashMap.newKeySet();

    /** @param what a word for each of them, such as header */
    ReadValues(String upstream, String what, Map<String, Callable<String>> values) {
        this.upstream = upstream;
        this.what = what;
        this.values = values;
    }

    @Override
    public Map<String, String> headers(String method) throws TransportException {
        return read();
    }

    Map<String, String> read() throws TransportException {
        var read = new HashMap<String, String>();
        for (var each : values.entrySet()) {
            read.put(each.getKey(), value(each.getKey(), each.getValue()));
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
                LOG.info("the {} {} for upstream {} can be read again", what, name, upstream);
            }
            return value;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            if (unread.add(name)) {
                LOG.error("the {} {} for upstream {} cannot be read: {}", what, name, upstream, e.getMessage());
            }
            throw new TransportException(
                    TransportException.Kind.UNREACHABLE,
                    "the " + what + " " + name + " cannot be read: see the log",
                    e);
        }
    }

    @Override
    public boolean renew(Refusal refusal) {
        return false;
    }

    /** Shows no value. */
    @Override
    public String toString() {
        return "ReadValues" + values.keySet();
    }
}
