// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Makes the page of the fields of a file of its schema, and small files of the examples. */
final class YamlPage {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** The sections in their order: what is described, and where its fields stand in a file. */
    private static final Map<String, String> SECTIONS = sections();

    /** Where the page, or another one, has the fields of a section already. */
    private static final Map<String, String> ELSEWHERE = Map.of(
            "workflowKey", "The fields are those of [secrets](#secret).",
            "upstreamRetry", "The fields are `count` and `backoff` of [retries](#toolsnameretry).",
            "limits", "[LIMITS](LIMITS.md) has each field, its default, and what happens beyond it.",
            "issuer", "The fields are `issuer`, `jwks`, `jwksFile` and `introspection` of [`auth`](#auth).");

    private final JsonNode schema;

    YamlPage(String schema) {
        this.schema = JSON.readTree(schema);
    }

    private static Map<String, String> sections() {
        var sections = new LinkedHashMap<String, String>();
        sections.put("", "");
        sections.put("tool", "tools.NAME");
        sections.put("http", "tools.NAME.http");
        sections.put("httpStatus", "tools.NAME.http.status");
        sections.put("httpResult", "tools.NAME.http.result");
        sections.put("httpCancel", "tools.NAME.http.cancel");
        sections.put("httpPages", "tools.NAME.http.pages");
        sections.put("workflow", "tools.NAME.workflow");
        sections.put("workflowTls", "tools.NAME.workflow.tls");
        sections.put("workflowCodec", "tools.NAME.workflow.codec");
        sections.put("workflowKey", "tools.NAME.workflow.apiKey");
        sections.put("header", "…headers.NAME");
        sections.put("hints", "tools.NAME.hints");
        sections.put("icon", "tools.NAME.icons[]");
        sections.put("resume", "tools.NAME.resume");
        sections.put("retry", "tools.NAME.retry");
        sections.put("value", "tools.NAME.env.NAME");
        sections.put("input", "tools.NAME.input.NAME");
        sections.put("question", "tools.NAME.elicit");
        sections.put("openapi", "openapi");
        sections.put("upstream", "upstreams.NAME");
        sections.put("upstreamTool", "upstreams.NAME.tools.NAME");
        sections.put("upstreamRetry", "upstreams.NAME.retry");
        sections.put("rights", "upstreams.NAME.auth");
        sections.put("schedule", "schedules.NAME");
        sections.put("trigger", "triggers.NAME");
        sections.put("recipient", "notify.NAME");
        sections.put("signingSecret", "…secret");
        sections.put("host", "hosts.NAME");
        sections.put("limits", "limits");
        sections.put("auth", "auth");
        sections.put("issuer", "auth.issuers[]");
        sections.put("introspection", "auth.introspection");
        sections.put("key", "auth.keys[]");
        sections.put("tls", "tls");
        sections.put("store", "store");
        sections.put("audit", "audit");
        sections.put("log", "log");
        return sections;
    }

    /** One example of one field, in a file that has what it needs. */
    record Example(String field, JsonNode file) {
        @Override
        public String toString() {
            return field;
        }
    }

    /** The page. */
    String text() {
        var page = new StringBuilder("""
            # The file of tools

            After this page you know each field of a file for `longhaul serve FILE.yaml`. `YamlPageTest` generates
            this page from
            [the JSON Schema](../apps/file/src/main/resources/io/longhaul/file/tree/longhaul.schema.json)
            of the file, and checks each example. `longhaul init` and `longhaul check` write and check a file.

            An editor with a YAML language server completes the fields and shows mistakes when the file begins with
            this line and the path of the schema:

            ```yaml
            # yaml-language-server: $schema=longhaul.schema.json
            ```

            A duration has a unit (`500ms`, `90s`, `5m`, `1h30m`, `2d`), and a size may have one (`500`, `64KB`,
            `4MB`; 1 KB is 1,024 bytes). A path is relative to the folder of the file.
            [TOOLS](TOOLS.md#commands-of-a-file) says how to write commands.
            """);
        SECTIONS.forEach((name, place) -> section(page, name, place));
        return page.toString();
    }

    private JsonNode described(String section) {
        return section.isEmpty() ? schema : schema.path("definitions").path(section);
    }

    private void section(StringBuilder page, String name, String place) {
        var object = described(name);
        page.append("\n## ")
                .append(place.isEmpty() ? "The file" : "`" + place + "`")
                .append("\n\n");
        if (place.isEmpty()) {
            page.append("```yaml\n").append(yaml(object.at("/examples/0"))).append("```\n\n");
        }
        if (ELSEWHERE.containsKey(name)) {
            page.append(ELSEWHERE.get(name)).append('\n');
            return;
        }
        page.append("| field | meaning | default | example |\n|---|---|---|---|\n");
        object.path("properties")
                .properties()
                .forEach(field -> page.append("| `")
                        .append(field.getKey())
                        .append("` | ")
                        .append(field.getValue().path("description").asString())
                        .append(" | ")
                        .append(required(object, field.getKey()) ? "needed" : unsaid(field.getValue()))
                        .append(" | ")
                        .append(String.join("<br>", examples(field.getKey(), field.getValue())))
                        .append(" |\n"));
    }

    private static boolean required(JsonNode object, String name) {
        return object.path("required")
                .valueStream()
                .anyMatch(needed -> needed.asString().equals(name));
    }

    private static String unsaid(JsonNode field) {
        var value = field.path("default");
        return value.isMissingNode() ? "" : value.isString() ? value.stringValue() : "`" + value + "`";
    }

    private List<String> examples(String name, JsonNode field) {
        return values(field)
                // The section of the field shows its other forms.
                .limit(field.path("examples").isArray() ? Long.MAX_VALUE : 1)
                .map(value -> "`"
                        + flow(
                                isOfInput(field)
                                        ? value
                                        : JSON.createObjectNode().set(name, value)) + "`")
                .map(text -> text.replace("|", "\\|"))
                .toList();
    }

    /** The keywords of an input have whole inputs for examples, since they need their type beside them. */
    private boolean isOfInput(JsonNode field) {
        return described("input").path("properties").valueStream().anyMatch(field::equals);
    }

    private Stream<JsonNode> values(JsonNode field) {
        var own = field.path("examples");
        var shared =
                schema.at(field.path("$ref").asString("#/none").substring(1)).path("examples");
        return own.isArray() ? own.valueStream() : shared.valueStream();
    }

    /** How many examples each field has. */
    Map<String, Long> examplesOfFields() {
        var counts = new LinkedHashMap<String, Long>();
        SECTIONS.forEach((section, place) -> described(section)
                .path("properties")
                .properties()
                .forEach(field -> counts.put(
                        place + "." + field.getKey(), values(field.getValue()).count())));
        return counts;
    }

    /** Each example of each field, in the first example of its section that has the field, or beside the first one. */
    List<Example> examples() {
        var all = new ArrayList<Example>();
        SECTIONS.forEach((section, place) -> {
            var object = described(section);
            object.path("examples").forEach(whole -> all.add(new Example("all of " + place, file(section, whole))));
            object.path("properties").properties().forEach(field -> {
                var of = field.getValue();
                values(of).forEach(value -> {
                    var whole = isOfInput(of) ? value : with(object, field.getKey(), value);
                    all.add(new Example(place + "." + field.getKey() + " " + value, file(section, whole)));
                });
            });
        });
        return all;
    }

    private static JsonNode with(JsonNode object, String name, JsonNode value) {
        var base = object.path("examples")
                .valueStream()
                .filter(whole -> whole.has(name))
                .findFirst()
                .orElse(object.path("examples").path(0));
        var whole = (ObjectNode) base.deepCopy();
        switch (name) {
            case "inputSchema" -> whole.remove("input");
            case "output", "outputSchema" -> whole.put("result", "json");
            case "http", "workflow" -> whole.remove("command");
            case "form", "text" -> whole.remove("json");
            case "pages" -> whole.put("method", "GET");
            case "env" -> whole.remove("file");
            case "longWhen" ->
                whole.putObject("input")
                        .put("folder", "string")
                        .put("depth", "integer")
                        .put("kind", "string");
            case "issuers" -> whole.removeAll();
            case "auth" -> whole.remove("headers");
            case "link" -> whole.remove("url");
            default -> {}
        }
        whole.set(name, value);
        return whole;
    }

    private JsonNode file(String section, JsonNode value) {
        var file = JSON.createObjectNode();
        var tool = JSON.createObjectNode();
        tool.putArray("command").add("ls");
        switch (section) {
            case "" -> file.setAll((ObjectNode) value);
            case "tool" -> {
                var named = (ObjectNode) value.deepCopy();
                var name = named.has("name") ? named.remove("name").stringValue() : "a";
                file.putObject("tools").set(name, named);
            }
            case "input" ->
                file.putObject("tools")
                        .set("a", tool.set("input", JSON.createObjectNode().set("b", value)));
            case "http", "httpStatus", "httpResult", "httpCancel", "httpPages", "header" ->
                file.putObject("tools").set("a", api(section, value));
            case "workflow", "workflowTls", "workflowCodec", "workflowKey" ->
                file.putObject("tools").set("a", workflow(section, value));
            case "question" -> file.putObject("tools").set("a", tool.set("elicit", value));
            case "icon" ->
                file.putObject("tools")
                        .set("a", tool.set("icons", JSON.createArrayNode().add(value)));
            case "value" ->
                file.putObject("tools")
                        .set("a", tool.set("env", JSON.createObjectNode().set("B", value)));
            case "hints", "resume", "retry" -> file.putObject("tools").set("a", tool.set(section, value));
            case "upstream" -> file.putObject("upstreams").set("a", value);
            case "upstreamTool", "upstreamRetry", "rights" -> {
                var server = file.putObject("upstreams").putObject("a").put("url", "https://a.example/mcp");
                if (section.equals("upstreamTool")) {
                    server.putObject("tools").set("b", value);
                } else {
                    server.set(section.equals("rights") ? "auth" : "retry", value);
                }
            }
            case "schedule" -> {
                file.putObject("tools").set("list", tool);
                file.putObject("schedules").set("a", value);
            }
            case "trigger" -> {
                file.putObject("tools").set("list", tool);
                file.putObject("triggers").set("a", value);
            }
            case "recipient" -> {
                file.putObject("tools").set("list", tool);
                file.putObject("notify").set("a", value);
            }
            case "signingSecret" -> {
                file.putObject("tools").set("list", tool);
                file.putObject("triggers").putObject("a").put("tool", "list").set("secret", value);
            }
            case "host" -> file.putObject("hosts").set("a", value);
            case "issuer" -> file.putObject("auth").putArray("issuers").add(value);
            case "key" -> file.putObject("auth").putArray("keys").add(value);
            case "introspection" ->
                file.putObject("auth")
                        .put("issuer", "https://login.example.com")
                        .set("introspection", value);
            default -> file.set(section, value);
        }
        if (!file.has("tools")) {
            file.putObject("tools").set("a", tool);
        }
        return file;
    }

    private static JsonNode workflow(String section, JsonNode value) {
        var tool = JSON.createObjectNode();
        if (section.equals("workflow")) {
            return tool.set("workflow", value);
        }
        tool.putObject("workflow")
                .put("type", "Report")
                .put("taskQueue", "reports")
                .set(
                        switch (section) {
                            case "workflowTls" -> "tls";
                            case "workflowCodec" -> "codec";
                            default -> "apiKey";
                        },
                        value);
        return tool;
    }

    private static JsonNode api(String section, JsonNode value) {
        var tool = JSON.createObjectNode();
        tool.putObject("input").put("folder", "string");
        if (section.equals("http")) {
            return tool.set("http", value);
        }
        var http = tool.putObject("http").put("url", "https://ci.example.com/api/builds");
        switch (section) {
            case "header" -> http.putObject("headers").set("Authorization", value);
            case "httpResult" ->
                http.put("status", "https://ci.example.com/api/{job.id}").set("result", value);
            case "httpPages" -> http.put("method", "GET").set("pages", value);
            default -> http.set(section.substring("http".length()).toLowerCase(Locale.ROOT), value);
        }
        return tool;
    }

    private static String yaml(JsonNode value) {
        var settings = DumpSettings.builder()
                .setDefaultFlowStyle(org.snakeyaml.engine.v2.common.FlowStyle.BLOCK)
                .build();
        return new Dump(settings).dumpToString(JSON.treeToValue(value, Object.class));
    }

    /** In one line, without the braces around it. */
    private static String flow(JsonNode value) {
        var settings = DumpSettings.builder()
                .setDefaultFlowStyle(org.snakeyaml.engine.v2.common.FlowStyle.FLOW)
                .setWidth(1_000)
                .build();
        var text = new Dump(settings)
                .dumpToString(JSON.treeToValue(value, Object.class))
                .strip();
        return text.startsWith("{") ? text.substring(1, text.length() - 1) : text;
    }
}
