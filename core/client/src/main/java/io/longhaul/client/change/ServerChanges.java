// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.change;

import io.longhaul.client.McpClientException;
import io.longhaul.client.ServerList;
import io.longhaul.client.ServerUnreachableException;
import io.longhaul.client.UnsupportedByServerException;
import io.longhaul.client.UnusableAnswerException;
import io.longhaul.client.request.ServerResponses;
import io.longhaul.protocol.Guard;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.requestor.Registration;
import io.longhaul.requestor.call.ChangeSubscription;
import io.longhaul.requestor.call.Requestor;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Hears what changes at a server: by subscriptions where the generation has them, else on the streams of the session.
 * Thread-safe.
 */
public final class ServerChanges implements AutoCloseable {

    private static final Call.Subscription NOTHING = new Call.Subscription(false, false, false, List.of(), List.of());

    private final Requestor requestor;
    private final Consumer<ServerList> forget;
    private final Set<ChangeSubscription> open = ConcurrentHashMap.newKeySet();

    /** How many listeners there are to each resource of the session; guarded by the lock. */
    private final Map<String, Integer> watched = new HashMap<>();

    /** Held until the server has answered a subscription or its end, so that both reach the server in order. */
    private final Guard watching = new Guard();

    /** @param forget takes each changed list, before any listener is told */
    public ServerChanges(Requestor requestor, Consumer<ServerList> forget) {
        this.requestor = requestor;
        this.forget = forget;
        requestor.listeners().onNews(notice -> list(notice).ifPresent(forget));
    }

    private static Optional<ServerList> list(Notice notice) {
        return Optional.ofNullable(
                switch (notice) {
                    case Notice.ToolsChanged changed -> ServerList.TOOLS;
                    case Notice.ResourcesChanged changed -> ServerList.RESOURCES;
                    case Notice.PromptsChanged changed -> ServerList.PROMPTS;
                    default -> null;
                });
    }

    public Registration onList(Consumer<ServerList> listener) {
        var teller = new ChangeQueue<>(listener);
        Consumer<Notice> heard = notice -> list(notice).ifPresent(teller::tell);
        Runnable missed = () -> EnumSet.allOf(ServerList.class).forEach(list -> {
            forget.accept(list);
            teller.tell(list);
        });
        if (!requestor.manner().inSession()) {
            return subscribe(new Call.Subscription(true, true, true, List.of(), List.of()), heard, missed);
        }
        if (Stream.of("tools", "resources", "prompts").noneMatch(list -> declares(list, "listChanged"))) {
            throw new UnsupportedByServerException("This server does not tell when its lists change.");
        }
        return listen(heard, missed);
    }

    /**
     * In a session, the server may tell of "a sub-resource of the one that the client actually subscribed to". So a
     * change of any URI that begins with {@code uri} counts as a change of the resource.
     */
    public Registration onResource(String uri, Runnable listener) {
        var teller = new ChangeQueue<String>(changed -> listener.run());
        Consumer<Notice> heard = notice -> {
            if (notice instanceof Notice.ResourceUpdated(var changed) && changed.startsWith(uri)) {
                teller.tell(uri);
            }
        };
        if (!requestor.manner().inSession()) {
            return subscribe(
                    new Call.Subscription(false, false, false, List.of(uri), List.of()), heard, () -> teller.tell(uri));
        }
        if (!declares("resources", "subscribe")) {
            throw new UnsupportedByServerException("This server does not tell when its resources change.");
        }
        var heardOf = listen(heard, () -> {
            requestor.ask(new Call.SubscribeResource(uri));
            teller.tell(uri);
        });
        try {
            watch(uri);
        } catch (McpClientException e) {
            heardOf.close();
            throw e;
        }
        return () -> {
            heardOf.close();
            ignore(uri);
        };
    }

    private boolean declares(String capability, String what) {
        return JsonTree.read(requestor.hello().capabilities())
                .path(capability)
                .path(what)
                .asBoolean(false);
    }

    private Registration subscribe(Call.Subscription wanted, Consumer<Notice> heard, Runnable missed) {
        var subscription = new ChangeSubscription(requestor, wanted, heard, missed, why -> {});
        open.add(subscription);
        Registration closing = () -> {
            open.remove(subscription);
            subscription.close();
        };
        try {
            switch (subscription.opened()) {
                case ChangeSubscription.Opening.Honoured(var changes) -> {
                    if (changes.equals(NOTHING)) {
                        throw new UnsupportedByServerException("This server does not tell of such changes.");
                    }
                }
                case ChangeSubscription.Opening.Failed(var end) -> {
                    ServerResponses.require(end);
                    throw new UnusableAnswerException("The server did not say of which changes it tells.", null);
                }
            }
        } catch (InterruptedException e) {
            closing.close();
            Thread.currentThread().interrupt();
            throw new ServerUnreachableException("The call was interrupted.", e);
        } catch (McpClientException e) {
            closing.close();
            throw e;
        }
        return closing;
    }

    /** Listens to what a server sends unasked in a session. */
    private Registration listen(Consumer<Notice> heard, Runnable missed) {
        var notices = requestor.listeners().onNews(heard);
        var renewals = requestor.onSession(missed);
        requestor.listen();
        return () -> {
            notices.close();
            renewals.close();
        };
    }

    private void watch(String uri) {
        watching.run(() -> {
            ServerResponses.require(requestor.ask(new Call.SubscribeResource(uri)));
            watched.merge(uri, 1, Integer::sum);
        });
    }

    private void ignore(String uri) {
        watching.run(() -> {
            if (watched.computeIfPresent(uri, (same, count) -> count == 1 ? null : count - 1) == null) {
                requestor.ask(new Call.UnsubscribeResource(uri));
            }
        });
    }

    @Override
    public void close() {
        open.forEach(ChangeSubscription::close);
    }
}
