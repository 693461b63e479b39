// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.link;

import io.longhaul.client.McpClientException;
import io.longhaul.client.ServerUnreachableException;
import io.longhaul.protocol.Guard;
import io.longhaul.requestor.Registration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resources of upstreams that clients watch. Each is watched once at its upstream, until others have come in its
 * place. An upstream that is away is asked when it is back. Thread-safe.
 */
public final class ResourceWatches {

    private static final Logger LOG = LoggerFactory.getLogger(ResourceWatches.class);

    /** The most resources that are watched: templates have any number of resources. */
    static final int MOST = 1_000;

    private final Consumer<String> updated;
    private final int most;
    private final Guard guard = new Guard();

    /** From the oldest to the newest; read and written under the guard. */
    private final SequencedMap<String, Registration> open = new LinkedHashMap<>();

    /** The links to upstreams that were away, by the resource that they are asked for later. */
    private final Map<String, Link> waiting = new ConcurrentHashMap<>();

    /** @param updated takes the URI of each watched resource that has changed */
    public ResourceWatches(Consumer<String> updated) {
        this(updated, MOST);
    }

    /** @param most the most resources that are watched */
    ResourceWatches(Consumer<String> updated, int most) {
        this.updated = updated;
        this.most = most;
    }

    /** Has an upstream tell of changes of a resource that a client watches. */
    public void begin(String uri, Link link) {
        if (guard.get(() -> open.containsKey(uri))) {
            return;
        }
        if (!waiting.containsKey(uri) && count() >= most && !closeOldest()) {
            LOG.warn("changes of {} are not told: {} resources wait for servers that are away", uri, most);
            return;
        }
        waiting.put(uri, link);
        if (!ask(uri, link)) {
            link.look();
        }
    }

    /** The number of resources that are watched, or will be. */
    int count() {
        return guard.get(open::size) + waiting.size();
    }

    /** Makes room for another resource; false where all resources wait for upstreams that are away. */
    private boolean closeOldest() {
        var oldest = guard.get(() -> Optional.ofNullable(open.pollFirstEntry()));
        oldest.ifPresent(watched -> {
            LOG.warn("changes of {} are told no longer: clients watch {} others", watched.getKey(), most);
            watched.getValue().close();
        });
        return oldest.isPresent();
    }

    /** Asks an upstream that is there for what it could not be asked before, on threads of their own. */
    public void retry(UpstreamServer upstream) {
        waiting.forEach((uri, link) -> {
            if (link.upstream().equals(upstream)) {
                Thread.ofVirtual().start(() -> ask(uri, link));
            }
        });
    }

    /** Asks an upstream; false where the upstream is away. */
    private boolean ask(String uri, Link link) {
        try {
            var watched = link.clientNow().resources().onChange(uri, () -> updated.accept(uri));
            var awake = link.watch();
            Registration watching = () -> {
                watched.close();
                awake.close();
            };
            waiting.remove(uri);
            if (guard.get(() -> open.putIfAbsent(uri, watching)) != null) {
                watching.close();
            }
            return true;
        } catch (UpstreamAwayException | ServerUnreachableException e) {
            LOG.debug("{} is away, and asked for changes of a resource later", link.upstream());
            return false;
        } catch (McpClientException e) {
            waiting.remove(uri);
            LOG.info("{} does not tell when a resource changes: {}", link.upstream(), e.getMessage());
            return true;
        }
    }
}
