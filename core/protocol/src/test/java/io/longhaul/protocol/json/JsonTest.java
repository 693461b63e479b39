// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JsonTest {

    @Test
    void faults_of_params_name_the_field() {
        var params = Params.of(Json.raw("{\"taskId\":5,\"task\":{\"ttl\":1.5},\"list\":[\"a\",1],\"nothing\":null}"));
        assertThatThrownBy(() -> params.string("taskId")).hasMessage("params.taskId must be a string");
        assertThatThrownBy(() -> params.string("TaskId")).hasMessage("params.TaskId is required");
        assertThatThrownBy(() -> params.inner("task").optionalInteger("ttl"))
                .hasMessage("params.task.ttl must be an integer");
        assertThatThrownBy(() -> params.strings("list")).hasMessage("params.list must be an array of strings");
        assertThatThrownBy(() -> params.object("nothing")).hasMessage("params.nothing must be an object");
        assertThatThrownBy(() -> params.inner("_meta").string("io.x/y"))
                .hasMessage("params._meta[\"io.x/y\"] is required");
    }

    @Test
    void equal_values_have_one_digest_whatever_their_order_and_spacing() {
        var one = Json.raw("{\"a\":{\"y\":[1,2.0],\"x\":\"\\u00e9\"},\"b\":null}");
        var same = Json.raw("{ \"b\" : null, \"a\":{\"x\":\"\u00e9\", \"y\":[1, 2.0] } }");
        assertThat(JsonDigest.sha256(one)).isEqualTo(JsonDigest.sha256(same));
        assertThat(JsonDigest.sha256(Json.raw("[1,2]"))).isNotEqualTo(JsonDigest.sha256(Json.raw("[2,1]")));
    }

    @Test
    void equal_numbers_have_one_digest_however_they_are_written() {
        assertOneDigest("0", "0.0", "-0", "-0.00", "0e5", "0E-99");
        assertOneDigest("0.2", "0.20", "2e-1", "2E-01", "20.0e-2", "0.002e+2");
        assertOneDigest("-1200", "-1200.000", "-1.2e3", "-12E+2", "-0.0012e6");
        assertOneDigest("12.5", "12.50", "1.25e1", "1250e-2");
        assertOneDigest("1" + "0".repeat(90), "1e90", "1.0E90", "0.1e91");
        assertOneDigest("1e-90", "0." + "0".repeat(89) + "1");
        assertOneDigest("{\"a\":[1,{\"b\":0.20}]}", "{\"a\":[1.0,{\"b\":0.2}]}");
    }

    private static void assertOneDigest(String... texts) {
        assertThat(Stream.of(texts).map(JsonTest::digest).distinct()).hasSize(1);
    }

    @Test
    void other_numbers_have_other_digests() {
        var texts = List.of(
                "0",
                "1",
                "-1",
                "10",
                "0.1",
                "0.01",
                "0.2",
                "2",
                "20",
                "1e90",
                "1e91",
                "1e-90",
                "-1e90",
                "9007199254740993",
                "9007199254740992",
                "1e9999999999999999999",
                "1e9999999999999999998",
                "0.1234567890123456789",
                "0.123456789012345678",
                "\"1\"",
                "\"0.2\"");
        assertThat(texts.stream().map(JsonTest::digest).distinct()).hasSameSizeAs(texts);
    }

    private static String digest(String text) {
        return HexFormat.of().formatHex(JsonDigest.sha256(Json.raw(text)));
    }

    @Test
    void the_members_of_an_object_are_spliced_into_another() {
        var written = new JsonWriter(1)
                .beginObject()
                .name("a")
                .number(0.5)
                .members(Json.raw("{ }"))
                .members(Json.raw("{ \"b\":[] }"))
                .members(Json.EMPTY_OBJECT)
                .name("c")
                .number(3.0)
                .endObject()
                .toJson();
        assertThat(written).hasToString("{\"a\":0.5,\"b\":[],\"c\":3}");
    }

    @Test
    void values_know_what_they_are() {
        assertThat(Json.raw("-12").asLong()).isEqualTo(-12L);
        assertThat(Json.raw("1.0").asLong()).isNull();
        assertThat(Json.raw("9223372036854775808").asLong()).isNull();
        assertThat(Json.raw("null").kind()).isEqualTo(Json.Kind.NULL);
    }
}
