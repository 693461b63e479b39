// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.call;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.question.QuestionKinds;
import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.CreateMessageResult;
import io.longhaul.server.ElicitRequest;
import io.longhaul.server.ElicitResult;
import io.longhaul.server.ElicitUrlRequest;
import io.longhaul.server.Root;
import io.longhaul.server.internal.codec.SamplingCodec;
import io.longhaul.server.internal.schema.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * One question of a handler, and how its answer is read.
 *
 * @param key    null to have one chosen
 * @param reader reads the response of the client
 */
public record Ask<T>(@Nullable String key, String method, Json params, Function<JsonNode, T> reader) {

    public static Ask<ElicitResult<JsonNode>> form(ElicitRequest question) {
        var params = new JsonWriter().beginObject().name("message").string(question.message());
        params.name("requestedSchema").raw(Json.raw(question.schema()));
        return new Ask<>(
                question.key(), QuestionKinds.ELICIT, params.endObject().toJson(), Ask::elicited);
    }

    static Ask<ElicitResult.Action> url(ElicitUrlRequest question) {
        var params = new JsonWriter().beginObject().name("mode").string("url");
        params.name("message").string(question.message()).name("url").string(question.url());
        params.name("elicitationId").string(question.elicitationId());
        return new Ask<>(
                question.key(),
                QuestionKinds.ELICIT,
                params.endObject().toJson(),
                answer -> elicited(answer).action());
    }

    static Ask<CreateMessageResult> sampling(@Nullable String key, CreateMessageRequest question) {
        return new Ask<>(key, QuestionKinds.SAMPLE, SamplingCodec.params(question), SamplingCodec::result);
    }

    static Ask<List<Root>> roots(@Nullable String key) {
        return new Ask<>(key, QuestionKinds.ROOTS, Json.EMPTY_OBJECT, Ask::listed);
    }

    /** A question of another server. */
    static Ask<Json> forwarded(@Nullable String key, CallResponse.Question question) {
        return new Ask<>(key, question.method(), question.params(), Values::json);
    }

    public CallResponse.Question question() {
        return new CallResponse.Question(method, params);
    }

    static ElicitResult<JsonNode> elicited(JsonNode answer) {
        var action =
                ElicitResult.Action.valueOf(answer.path("action").asString("").toUpperCase(Locale.ROOT));
        var content =
                answer.path("content").isObject() ? answer.path("content") : JsonNodeFactory.instance.objectNode();
        return new ElicitResult<>(action, action == ElicitResult.Action.ACCEPT ? content : null);
    }

    static <T> ElicitResult<T> bound(ElicitResult<JsonNode> answer, Class<T> form) {
        return new ElicitResult<>(answer.action(), answer.accepted() ? Values.bind(answer.content(), form) : null);
    }

    private static List<Root> listed(JsonNode answer) {
        List<Root> roots = new ArrayList<>();
        for (JsonNode root : answer.path("roots")) {
            String name = root.path("name").asString("");
            roots.add(new Root(root.path("uri").asString(""), name.isEmpty() ? null : name));
        }
        return List.copyOf(roots);
    }
}
