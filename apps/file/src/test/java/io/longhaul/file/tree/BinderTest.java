// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A scalar field is written in the schema, as a component of a record, and where it is used. */
class BinderTest {

    private static final JsonNode SCHEMA = JsonMapper.shared().readTree("""
        {
          "definitions": {
            "oven": {
              "type": "object",
              "properties": {
                "name": {"type": "string"},
                "door": {"enum": ["open", "shut"], "default": "shut"},
                "racks": {"type": "integer", "default": 2},
                "bakes": {"type": "string", "default": "as long as it takes"},
                "timer": {"properties": {"for": {"type": "string"}, "loud": {"type": "boolean", "default": true}}}
              },
              "errorMessage": "must be an oven. Write its fields"
            }
          },
          "type": "object",
          "properties": {"oven": {"$ref": "#/definitions/oven"}},
          "errorMessage": "must be a kitchen. Write its oven"
        }""");

    private static final JsonNode SCHEMA_OF_SHELVES = JsonMapper.shared().readTree("""
        {
          "definitions": {
            "oven": {
              "properties": {
                "door": {"enum": ["open", "shut"]},
                "shelves": {"additionalProperties": {"$ref": "#/definitions/shelf"}},
                "spare": {"items": {"$ref": "#/definitions/shelf"}},
                "fuel": {"if": {"type": "object"}, "then": {"$ref": "#/definitions/fuel"}}
              }
            },
            "shelf": {"properties": {"holds": {"type": "string"}}},
            "fuel": {"properties": {"kind": {"type": "string"}, "age": {"type": "string"}}}
          }
        }""");

    enum Door {
        OPEN,
        SHUT
    }

    record Oven(
            String name, Door door, Integer racks, @Nullable Duration bakes, List<String> trays) {}

    private static FileFields fields(String text) {
        var tree = YamlReader.read(Path.of("kitchen.yaml"), text.getBytes(StandardCharsets.UTF_8));
        return new FileFields(tree, new Mistakes(tree), Map.of());
    }

    private static <R extends Record> R read(FileFields file, JsonNode schema, Class<R> type) {
        return new Binder(file, Path.of("/kitchen"), Map.of(), schema).read("/oven", "oven", type);
    }

    @Test
    void components_are_read_by_their_names_and_types() {
        var oven = read(
                fields("oven: {name: big, door: open, racks: 4, bakes: 1h30m, trays: [a, 07]}"), SCHEMA, Oven.class);
        assertThat(oven).isEqualTo(new Oven("big", Door.OPEN, 4, Duration.ofMinutes(90), List.of("a", "07")));
    }

    @Test
    void an_absent_field_has_the_default_of_the_schema_where_that_is_a_value() {
        assertThat(read(fields("oven: {name: big}"), SCHEMA, Oven.class))
                .isEqualTo(new Oven("big", Door.SHUT, 2, null, List.of()));
    }

    record Timer(@Binder.Named("for") @Nullable Duration life, boolean loud) {}

    record Timed(@Nullable Timer timer) {}

    @Test
    void an_object_in_the_object_is_a_record_in_the_record() {
        var schema = SCHEMA.deepCopy();
        ((ObjectNode) schema.path("definitions")).set("timer", SCHEMA.at("/definitions/oven/properties/timer"));
        assertThat(read(fields("oven: {timer: {for: 5m}}"), schema, Timed.class))
                .isEqualTo(new Timed(new Timer(Duration.ofMinutes(5), true)));
        assertThat(read(fields("oven: {name: small}"), schema, Timed.class))
                .isEqualTo(new Timed(new Timer(null, true)));
    }

    /** As {@link Oven}, with one component more. */
    record WithLight(Door door, boolean light, @Nullable Pattern window) {}

    @Test
    void a_new_field_needs_a_property_of_the_schema_and_a_component_and_no_reader() {
        var schema = SCHEMA.deepCopy();
        var properties = (ObjectNode) schema.at("/definitions/oven/properties");
        properties.putObject("light").put("type", "boolean").put("default", true);
        assertThat(read(fields("oven: {light: false}"), schema, WithLight.class).light())
                .isFalse();
        assertThat(read(fields("oven: {door: open}"), schema, WithLight.class).light())
                .isTrue();
    }

    /** As {@link Timer}, with one component more. */
    record WithBell(@Binder.Named("for") @Nullable Duration life, boolean bell) {}

    record Rung(@Nullable WithBell timer) {}

    @Test
    void a_new_field_of_a_section_needs_no_more() {
        var schema = SCHEMA.deepCopy();
        var properties = (ObjectNode) schema.at("/definitions/oven/properties/timer/properties");
        properties.putObject("bell").put("type", "boolean").put("default", true);
        assertThat(read(fields("oven: {timer: {for: 5m, bell: false}}"), schema, Rung.class))
                .isEqualTo(new Rung(new WithBell(Duration.ofMinutes(5), false)));
        assertThat(read(fields("oven: {door: open}"), schema, Rung.class))
                .isEqualTo(new Rung(new WithBell(null, true)));
    }

    record Shelf(@Nullable String holds, @Binder.Key String name) {}

    record Shelves(Map<String, Shelf> shelves, List<Shelf> spare) {}

    @Test
    void a_record_stands_for_each_member_and_each_item_also_for_a_value_in_its_place() {
        var shelves = read(
                fields("oven: {shelves: {top: {holds: bread}}, spare: [cake, {holds: pie}]}"),
                SCHEMA_OF_SHELVES,
                Shelves.class);
        assertThat(shelves.shelves()).isEqualTo(Map.of("top", new Shelf("bread", "top")));
        assertThat(shelves.spare()).extracting(Shelf::holds).containsExactly("cake", "pie");
    }

    record Wood(Optional<String> kind, @Nullable String age) {}

    record Fired(
            Wood fuel,
            @Binder.Named(value = "door", says = "open") boolean isOpen) {}

    @Test
    void a_value_alone_is_the_first_component_and_a_flag_can_be_a_word() {
        assertThat(read(fields("oven: {fuel: beech, door: open}"), SCHEMA_OF_SHELVES, Fired.class))
                .isEqualTo(new Fired(new Wood(Optional.of("beech"), null), true));
        assertThat(read(fields("oven: {fuel: {age: 2y}, door: shut}"), SCHEMA_OF_SHELVES, Fired.class))
                .isEqualTo(new Fired(new Wood(Optional.empty(), "2y"), false));
    }

    record Grouped(String name, Look look) {}

    record Look(Door door, Optional<Integer> racks) {}

    @Test
    void a_record_whose_name_is_no_field_groups_fields() {
        assertThat(read(fields("oven: {name: big, racks: 3}"), SCHEMA, Grouped.class))
                .isEqualTo(new Grouped("big", new Look(Door.SHUT, Optional.of(3))));
    }

    @Test
    void a_value_that_its_type_does_not_take_is_a_mistake_at_its_place() {
        var file = fields("oven:\n  bakes: soon\n  name: big");
        read(file, SCHEMA, Oven.class);
        assertThat(file.mistakes().all())
                .singleElement()
                .extracting(Mistake::text)
                .isEqualTo("kitchen.yaml:2:10: oven.bakes: must be a duration, but is \"soon\"."
                        + " Write a number and a unit, such as 90s, 5m, 1h30m or 2d.");
    }

    record Odd(StringBuilder name) {}

    @Test
    void a_component_of_a_type_that_no_field_has_is_an_error_of_the_programmer() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> read(fields("oven: {name: big}"), SCHEMA, Odd.class))
                .withMessageContaining("StringBuilder");
    }
}
