// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.receiver.simulation.ModelStream.Kind;
import io.longhaul.receiver.simulation.ModelStream.Told;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What the messages on the streams of a session say, held against what the client knows of its tasks. */
final class ModelReader {

    private final ModelSession client;

    ModelReader(ModelSession client) {
        this.client = client;
    }

    /** What a message tells of a task. */
    Told message(ModelStream stream, JsonNode message, long order) {
        client.hold(!stream.responded, () -> "a message came behind a response: " + message);
        var params = message.path("params");
        switch (message.path("method").asString()) {
            case "notifications/progress" -> {
                String token = params.path("progressToken").asString();
                client.hold(isOf(stream, token), () -> token + " was not given for " + stream.kind);
                return told(stream, Told.of(message, client.ledgers), token);
            }
            case "notifications/message" -> {
                return told(stream, Told.of(message, client.ledgers), "");
            }
            case "notifications/tasks/status" -> {
                return status(stream, params);
            }
            case "elicitation/create" -> {
                return question(stream, message, order);
            }
            case "notifications/cancelled" -> {
                client.ledgers.values().forEach(ledger -> ledger.withdraw(params.path("requestId")));
                return cancelled(stream, params.path("requestId"));
            }
            case "notifications/tasks/created" -> client.named(stream.work, stream.work.name);
            default -> response(stream, message);
        }
        return Told.NOTHING;
    }

    /** Whether the stream may tell under this token: that of its request, or one that its session has given. */
    private boolean isOf(ModelStream stream, String token) {
        boolean isWhole = stream.kind == Kind.CALL && client.way.isAnsweredInTheEnd();
        return token.equals(stream.token)
                || !isWhole && client.ledgers.get(token.split("#")[0]).tokens.contains(token);
    }

    private void response(ModelStream stream, JsonNode message) {
        var work = stream.work;
        client.hold(work != null, () -> "a response came on a GET stream: " + message);
        var result = message.path("result");
        boolean isCreation = stream.kind == Kind.CALL && client.way == ModelWay.OPERATION;
        boolean isTimedOut = result.path("isPending").asBoolean(false) && !stream.until.equals(Instant.MAX);
        client.hold(
                work.over || isCreation || isTimedOut || stream.kind == Kind.LOOK,
                () -> "a response came before the end: " + message);
        if (isCreation) {
            client.named(work, client.way.named(result));
        }
        stream.responded = true;
    }

    private Told told(ModelStream stream, Told told, String token) {
        if (!(told.of() instanceof ModelSeries series)) {
            return told;
        }
        var ledger = client.ledgers.values().stream()
                .filter(one -> one.steps == series || one.lines == series)
                .findFirst()
                .orElseThrow();
        boolean isStep = ledger.steps == series;
        int number = told.number();
        String what = (isStep ? "step " : "line ") + number + " of " + ledger.work.name;
        int last = stream.last(series);
        boolean startsAgain = number == last && stream.isFirstUnder(token);
        if (client.way == ModelWay.ASYNC && isStep && (startsAgain || isSoFar(stream, ledger, number))) {
            series.tell(number, true);
            return told;
        }
        client.hold(number > last, () -> what + " was told behind " + last);
        boolean isWhole = stream.kind == Kind.CALL && client.way.isAnsweredInTheEnd();
        client.hold(
                !isWhole || number > ModelSession.PACE && !isStep || series.isNext(number, last),
                () -> what + " was told behind " + last);
        // A stream that goes on from the record first repeats what the session was told elsewhere.
        boolean repeats = stream.alone && !stream.steady || isWhole && stream.isRepetition(told, ledger);
        client.hold(series.tell(number, repeats || client.world.hasNodes()) || isWhole, () -> what + " was told twice");
        client.hold(!stream.hasEnd(ledger), () -> what + " was told behind the end of its task");
        return told;
    }

    private static boolean isSoFar(ModelStream stream, ModelLedger ledger, int step) {
        return stream.isSoFar(ledger, step) || !stream.steady && ledger.steps.isLast(step);
    }

    private Told status(ModelStream stream, JsonNode params) {
        // A task whose creation was not answered is not known to the client.
        return client.ledgers.values().stream()
                .filter(ledger -> isEnd(params)
                        && ledger.work.id.equals(params.path("taskId").asString()))
                .findFirst()
                .map(ledger -> ended(stream, ledger))
                .orElse(Told.NOTHING);
    }

    /** Who has called or joined is told of a cancellation under the id of that request. */
    private Told cancelled(ModelStream stream, JsonNode request) {
        return client.ledgers.values().stream()
                .filter(ledger -> client.way == ModelWay.ASYNC && stream.kind == Kind.GET)
                .filter(ledger -> ledger.work.cancelled && ledger.work.call == request.asInt(0))
                .findFirst()
                .map(ledger -> ended(stream, ledger))
                .orElse(Told.NOTHING);
    }

    private Told ended(ModelStream stream, ModelLedger ledger) {
        boolean repeats = stream.alone && !stream.steady || client.world.hasNodes();
        client.hold(
                ledger.ends == 0 || repeats || stream.isLate(),
                () -> "the end of " + ledger.work.name + " was told twice");
        ledger.ends = repeats ? ledger.ends : 1;
        ledger.endIsRepeated |= repeats;
        return new Told(ledger, 0);
    }

    private static boolean isEnd(JsonNode params) {
        return List.of("completed", "cancelled", "failed")
                .contains(params.path("status").asString());
    }

    private Told question(ModelStream stream, JsonNode message, long order) {
        var words = message.path("params").path("message").asString().split(" question ");
        var ledger = client.ledgers.get(words[0]);
        int number = Integer.parseInt(words[1]);
        client.hold(
                stream.isLate() || number > ledger.answered,
                () -> "question " + number + " was put though it was answered before");
        // The response of a look holds its question for no other stream: one that opens meanwhile brings the question
        // too.
        client.hold(
                stream.isLate()
                        || client.world.hasNodes()
                        || !ledger.isInFront(number)
                        || ledger.holder.isBack
                        || ledger.holder.kind == Kind.LOOK
                        || ledger.holder.wire.hasEndedBefore(order),
                () -> "question " + number + " of " + ledger.work.name + " was put while it was in front");
        // The question is on the stream that it went out on last, whenever the client reads that; where the stream has
        // broken, the server may put the question again. The stream of a look ends with its answer: a question that is
        // in front on another stream stays there.
        boolean isLatest = order > ledger.heldSince;
        boolean stays = stream.kind == Kind.LOOK && ledger.isInFront(number);
        if (isLatest && !stays && number > ledger.work.answered) {
            ledger.heldSince = order;
            ledger.holder = stream;
            ledger.heldAt = stream.taken.size();
            ledger.put = number;
            ledger.question = stream.broken ? ledger.question : message;
        }
        return new Told(ledger.work, number);
    }
}
