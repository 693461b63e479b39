// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnsweredIdsTest {

    private static List<RequestId> ids(long... ids) {
        return Arrays.stream(ids).<RequestId>mapToObj(RequestId.Number::new).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}|7",
                "{ \"result\" : {\"id\":8,\"x\":[{\"id\":9}]}, \"id\" : 7 , \"jsonrpc\":\"2.0\"}|7",
                "{\"result\":\"a \\\" \\\\\",\"id\":7}|7",
                "{\"result\":\"\\\",\\\"id\\\":8\",\"id\":7}|7",
                "{\"id\":-7,\"result\":{\"content\":[}|-7",
                "[{\"id\":7,\"result\":{}},{\"id\":8,\"method\":\"ping\"},{\"id\":9,\"error\":{}}]|7 9",
                "{\"id\":7,\"method\":\"ping\"}|",
                "{\"method\":\"ping\",\"id\":7}|",
                "{\"id\":\"7\",\"result\":{}}|",
                "{\"id\":{\"id\":7}}|",
                "{\"ids\":7}|",
                "{\"id\":7|",
                "id: 7|",
                "listening on 127.0.0.1:80|"
            })
    void the_requests_that_a_text_answers_are_found_wherever_their_ids_stand(String text, String ids) {
        var wanted = ids == null
                ? ids()
                : ids(Arrays.stream(ids.split(" ")).mapToLong(Long::parseLong).toArray());
        assertThat(AnsweredIds.in(text.getBytes(UTF_8))).isEqualTo(wanted);
    }

    @Test
    void it_does_not_matter_where_the_text_is_cut() {
        var text = "{\"jsonrpc\":\"2.0\",\"result\":{\"text\":\"\\\"é{\"},\"id\":123456}".getBytes(UTF_8);
        for (var cut = 0; cut <= text.length; cut++) {
            var finder = new AnsweredIds();
            finder.read(text, 0, cut);
            finder.read(text, cut, text.length);
            assertThat(finder.found()).isEqualTo(ids(123456));
        }
    }
}
