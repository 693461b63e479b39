// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.rounds;

import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonDigest;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.question.QuestionKinds;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All questions of one call with their answers, so that the handler of the call can run again, even in another process,
 * and get earlier answers at once. An answer belongs to one asking of one question; another question under the same key
 * is asked anew. Used by one thread at a time.
 */
final class AnsweredQuestions {

    private static final int DIGEST_BYTES = 12;
    private static final char NTH = '\n';

    private final Map<String, Json> given = new LinkedHashMap<>();
    private final Map<String, String> asked = new LinkedHashMap<>();
    private final Map<String, Integer> times = new HashMap<>();
    private final Map<String, Json> early = new HashMap<>();

    /** @param early answers that came with the call, by keys: its client may know the questions of the handler */
    AnsweredQuestions(Map<String, Json> early) {
        this.early.putAll(early);
    }

    /** @param responses the responses to the carried questions without an answer, by the keys that the client knows */
    AnsweredQuestions(CarriedState carried, Map<String, Json> responses) {
        given.putAll(carried.given());
        asked.putAll(carried.asked());
        for (String name : asked.keySet()) {
            Json response = given.containsKey(name) ? null : responses.get(key(name));
            if (response != null) {
                given.put(name, response);
            }
        }
    }

    /** Names one asking of a question. The key alone is not enough, because a handler may use the same key again. */
    String name(String key) {
        int nth = times.merge(key, 1, Integer::sum);
        return nth == 1 ? key : key + NTH + nth;
    }

    /** The earlier answer to this question; null where the question must be asked. */
    @Nullable
    Json answer(String name, Question question) {
        String digest = digest(question);
        if (!digest.equals(asked.put(name, digest))) {
            given.remove(name);
        }
        Json unasked = early.remove(name);
        if (unasked != null) {
            given.put(name, unasked);
        }
        return given.get(name);
    }

    void answered(String name, Json answer) {
        given.put(name, answer);
    }

    /** @param parked the id of the waiting handler, or null where no handler waits */
    CarriedState state(@Nullable String parked) {
        return new CarriedState(null, parked, new LinkedHashMap<>(given), new LinkedHashMap<>(asked), 0);
    }

    private static String key(String name) {
        int at = name.lastIndexOf(NTH);
        return at < 0 ? name : name.substring(0, at);
    }

    /** The digest of a question. Of one at a web address only the message counts, because the address changes. */
    private static String digest(Question question) {
        var asked = JsonWriter.object().name(question.method());
        boolean isUrl = QuestionKinds.isUrl(question);
        Json link = isUrl ? JsonReader.members(question.params()).get("message") : null;
        asked.raw(link == null ? withoutMeta(question.params()) : link).endObject();
        byte[] digest = JsonDigest.sha256(asked.toJson());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, DIGEST_BYTES));
    }

    /** The params without {@code _meta}, because each round of a call may belong to another trace. */
    private static Json withoutMeta(Json params) {
        var members = JsonReader.members(params);
        return JsonWriter.object(params.size())
                .membersBut(Set.of(Meta.META), members)
                .end();
    }
}
