// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.receiver.simulation.ModelCaller.Way;
import io.longhaul.receiver.simulation.ModelResult.Question;
import io.longhaul.receiver.simulation.ModelResult.Round;
import io.longhaul.server.Served;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What calls that go on in parts or rounds are told, held against what the client knows of their results. */
final class ModelCallReader {

    private static final String MORE = "This is the first part of the output; the work goes on.";

    private final ModelCaller client;

    ModelCallReader(ModelCaller client) {
        this.client = client;
    }

    /** What an event says. */
    void take(ModelCall call, ModelWire.Event event) {
        client.hold(!call.responded, () -> "a message came behind the response of " + call);
        if (event.data().isEmpty()) {
            return;
        }
        var message = Served.json(event.data());
        switch (message.path("method").asString("")) {
            case "" -> {
                call.responded = true;
                answered(call, message);
            }
            case "elicitation/create" -> asked(call, message, event.order());
            case "notifications/cancelled" -> {
                var question = call.result.question;
                if (question != null
                        && question.id()
                                .equals(message.path("params").path("requestId").toString())) {
                    call.result.question = null;
                }
            }
            default -> {
                var problem = call.takes(message);
                client.hold(problem == null, () -> call + " brought " + problem);
            }
        }
    }

    private void asked(ModelCall call, JsonNode message, long order) {
        var result = call.result;
        int number = number(message);
        client.hold(client.way == Way.PARTS, () -> "a request came in 2026-07-28: " + message);
        client.hold(
                call.wasSlow || number > result.answered,
                () -> "question " + number + " was put though it was answered before");
        var holder = client.open(result).stream()
                .filter(other -> !other.equals(call) && other.asked == number && !other.responded)
                .filter(other -> !other.wire.hasEndedBefore(order))
                .findFirst();
        client.hold(
                call.wasSlow || client.world.hasNodes() || holder.isEmpty(),
                () -> "question " + number + " was put while " + holder + " had it");
        call.asked = number;
        if (number > result.work.answered) {
            result.question = new Question(number, message.path("id").toString());
        }
    }

    private int number(JsonNode question) {
        return Integer.parseInt(
                question.path("params").path("message").asString().split(" question ")[1]);
    }

    private void answered(ModelCall call, JsonNode message) {
        var work = call.result.work;
        var result = message.path("result");
        client.hold(
                result.isObject() || message.path("error").isObject(), () -> call + " was answered with " + message);
        if (call.answers > 0 && result.isObject()) {
            work.acknowledged = Math.max(work.acknowledged, call.answers);
        }
        if (result.path("resultType").asString("").equals("input_required")) {
            round(call, result);
        } else if (result.has("nextResumeToken")) {
            part(call, result);
        } else {
            end(call, message);
        }
    }

    private void round(ModelCall call, JsonNode result) {
        client.hold(client.way != Way.PARTS, () -> call + " was asked by its result");
        var asked = result.path("inputRequests").properties();
        client.hold(asked.size() == 1, () -> call + " was asked " + asked);
        var question = asked.iterator().next();
        int number = number(question.getValue());
        client.hold(
                call.wasSlow || number > call.result.answered,
                () -> "question " + number + " was put though it was answered before");
        var state = result.path("requestState").asString();
        var problem = call.result.asks(new Round(number, question.getKey(), state, call.from));
        client.hold(problem == null, () -> call.result.work.name + ": " + problem);
    }

    private void part(ModelCall call, JsonNode result) {
        client.hold(client.way != Way.ROUNDS, () -> call + " was answered with a part");
        List<String> texts = new ArrayList<>();
        result.path("content").forEach(content -> texts.add(content.path("text").asString()));
        boolean isNew = !result.path("_meta").path("io.longhaul/nothing-new").asBoolean(false);
        client.hold(
                isNew || !client.world.server().now().isBefore(call.until),
                () -> call + " was answered before its time");
        boolean isFirst = call.from.token() == null;
        client.hold(!isNew || isFirst == texts.getLast().equals(MORE), () -> call + " was told of more, or was not");
        var pieces = texts.stream()
                .filter(text -> isNew && !text.equals(MORE))
                .map(text -> Integer.parseInt(text.substring("piece ".length()).strip()))
                .toList();
        client.hold(isNew == !pieces.isEmpty(), () -> call + " had nothing in it");
        var problem = call.result.part(
                call.from, pieces, result.path("nextResumeToken").asString());
        client.hold(problem == null, () -> call + ": " + problem);
    }

    private void end(ModelCall call, JsonNode message) {
        var work = call.result.work;
        client.hold(work.over, () -> call + " was answered before the end: " + message);
        String told = message.has("error")
                ? message.path("error").path("message").asString()
                : message.path("result").path("content").path(0).path("text").asString();
        client.hold(call.result.ends(told), () -> call + " has ended in another client.way: " + message);
        if (told.equals(work.outcome())) {
            client.hold(!work.cancelled, () -> work.name + " was cancelled, and has a result");
            client.hold(
                    client.way == Way.ROUNDS || call.result.last(call.from) == work.pieces(),
                    () -> call + " was answered with the end in place of a part");
        } else {
            boolean isInterrupted = work.crashes > 0 && !work.restarts;
            client.hold(
                    told.equals("Task was cancelled") ? work.cancelled : isInterrupted,
                    () -> call + " has failed with " + message);
        }
    }

    /** All is at rest, and the call is open: it was told all. */
    void check(ModelCall call) {
        var work = call.result.work;
        client.hold(!call.wire.isEnded(), () -> call + " has ended without a response");
        client.hold(!work.over, () -> call + " was not told the end");
        client.hold(client.world.server().now().isBefore(call.until), () -> call + " was not answered in its time");
        client.hold(
                client.way == Way.ROUNDS || call.result.last(call.from) >= work.pieces(),
                () -> call + " was not given the output up to " + work.pieces());
        client.hold(!call.steady || call.hasAll(), () -> call + " was not told of all that has happened");
        boolean isAsked = client.way == Way.PARTS
                && client.open(call.result).stream().anyMatch(one -> one.slow || one.asked == work.asked);
        client.hold(!work.asks() || isAsked, () -> work.name + " asks, and nobody is asked");
    }
}
