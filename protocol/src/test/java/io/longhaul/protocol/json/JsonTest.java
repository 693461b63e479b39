// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        assertThat(JsonDigest.sha256(Json.raw("2.0"))).isNotEqualTo(JsonDigest.sha256(Json.raw("2")));
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
