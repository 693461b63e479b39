// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.toolsasync;

import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Ticket;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.session.FairMap;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The reasons why calls got no task, for callers that ask later. Thread-safe. */
final class Rejections {

    /** How many reasons are kept at once. */
    static final int KEPT = 10_000;

    private static final String SPACE = "rejected";
    private static final Duration KEEP = Duration.ofHours(1);

    private final Context context;
    private final FairMap<Kept> recent = new FairMap<>(KEPT);

    private record Kept(String id, Instant expiry) {}

    Rejections(Context context) {
        this.context = context;
    }

    /** The answer to a call that is rejected, with a ticket for the reason. */
    CallResponse answer(InboundRequest request, Refusal why) {
        return new CallResponse.TaskRejected(why, ticket(request, why), context.now());
    }

    /** Why a call of this caller was rejected; empty where the caller has no ticket with this id. */
    Optional<String> reason(InboundRequest request, String id) {
        return rows().get(SPACE, id, context.now())
                .map(row -> Params.of("rejected", Json.raw(row.value().bytes())))
                .filter(row -> row.string("owner").equals(request.owner().value()))
                .map(row -> row.string("reason"));
    }

    private Ticket ticket(InboundRequest request, Refusal why) {
        String id = SPACE + "-" + context.newId();
        var row = JsonWriter.object();
        row.member("owner", request.owner().value());
        row.member("reason", Refusals.sentence(why)).endObject();
        var value = Payload.of(row.toJson().bytes());
        Instant now = context.now();
        var kept = new Kept(id, now.plus(KEEP));
        rows().put(new StoredRow(SPACE, id, value, kept.expiry()));
        recent.oldest(old -> !now.isBefore(old.expiry())).forEach(old -> recent.remove(old.id()));
        recent.put(id, request.share(), kept).forEach(old -> rows().remove(SPACE, old.id()));
        return new Ticket(id, KEEP);
    }

    private RowStore rows() {
        return context.engine().rows();
    }
}
