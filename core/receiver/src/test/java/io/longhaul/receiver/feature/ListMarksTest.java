// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.tool.ServedTool;
import io.longhaul.receiver.tool.ServedTool.Kind;
import io.longhaul.schema.SchemaCheck;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the lists of a server held at some moment. */
class ListMarksTest {

    private final Features features = new Features();

    @Test
    void equal_lists_have_equal_marks_and_a_change_is_told_by_its_kind() {
        features.tools().add(tool("a"));
        features.resources().add(resource("a"));
        var before = features.marks();
        assertThat(before.changesTo(features.marks())).isEmpty();
        features.tools().add(tool("b"));
        assertThat(before.changesTo(features.marks())).containsExactly(new Notice.ToolsChanged());
        features.resources().add(resource("b"));
        assertThat(before.changesTo(features.marks()))
                .containsExactly(new Notice.ToolsChanged(), new Notice.ResourcesChanged());
        features.tools().remove("b");
        features.resources().remove("b");
        assertThat(before.changesTo(features.marks())).isEmpty();
    }

    @Test
    void a_client_that_was_shown_no_list_of_a_kind_is_told_of_no_change() {
        var before = features.marks();
        features.tools().add(tool("a"));
        assertThat(before.changesTo(features.marks())).isEmpty();
    }

    @Test
    void templates_belong_to_the_resources() {
        features.resources().add(resource("a"));
        var before = features.marks();
        features.templates()
                .add(new ServedTemplate(
                        UriTemplate.of("s://{a}"),
                        Json.raw("{\"uriTemplate\":\"s://{a}\"}"),
                        Set.of(),
                        Freshness.NONE,
                        (uri, variables, call) -> Optional.empty(),
                        Map.of()));
        assertThat(before.changesTo(features.marks())).isEqualTo(List.of(new Notice.ResourcesChanged()));
    }

    @Test
    void marks_are_stored_as_text_and_what_is_no_text_of_marks_tells_of_no_change() {
        features.tools().add(tool("a"));
        assertThat(ListMarks.parse(features.marks().text())).isEqualTo(features.marks());
        assertThat(ListMarks.parse("?").changesTo(features.marks())).isEmpty();
    }

    private static ServedTool tool(String name) {
        var definition = Json.raw("{\"name\":\"" + name + "\",\"inputSchema\":{\"type\":\"object\"}}");
        var kind = new Kind.Quick(arguments -> call -> new CallResponse.ToolResult(Json.EMPTY_OBJECT));
        return new ServedTool(
                name,
                definition,
                SchemaCheck.of("{\"type\":\"object\"}"),
                kind,
                new ServedTool.Admission(Set.of(), null));
    }

    private static ServedResource resource(String uri) {
        var definition = Json.raw("{\"uri\":\"" + uri + "\"}");
        return new ServedResource(uri, definition, Set.of(), Freshness.NONE, (of, variables, call) -> Optional.empty());
    }
}
