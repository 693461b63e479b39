// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.ElicitRequest;
import io.longhaul.server.Form;
import io.longhaul.server.RequestContext;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolContext;
import io.longhaul.server.ToolHandler;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Tools that ask their caller. Each is written once: Longhaul asks by requests in a session, and in 2026-07-28 by an
 * answer that requires input.
 */
final class AskingTools {

    record Prompt(String prompt) {}

    record Message(String message) {}

    record Contact(String username, String email) {}

    record Name(String name) {}

    record Color(String color) {}

    record Consent(boolean ok) {}

    private AskingTools() {}

    static List<Tool> all() {
        return List.of(
                Tool.define("test_sampling")
                        .description("Puts the prompt to the client's model.")
                        .input(Prompt.class)
                        .handler((in, call) -> "LLM response: "
                                + call.sample(new CreateMessageRequest(in.prompt(), 100))
                                        .text()),
                Tool.define("test_elicitation")
                        .description("Asks who the user is.")
                        .input(Message.class)
                        .handler((in, call) -> "User response: " + call.elicit(in.message(), Contact.class)),
                defaults(),
                choices(),
                Tool.define("test_missing_capability")
                        .description("Needs the client's model.")
                        .handler((none, call) -> capital(call)),
                Tool.define("test_streaming_elicitation")
                        .description("Reports progress before it asks.")
                        .handler((none, call) -> {
                            call.progress(1, 2, "about to ask");
                            return hello(call);
                        }),
                required("elicitation", (none, call) -> hello(call)),
                required("sampling", (none, call) -> capital(call)),
                required("list_roots", (none, call) -> "Roots: " + call.listRoots()),
                required("request_state", (none, call) -> confirm(call)),
                required("tampered_state", (none, call) -> confirm(call)),
                required("multiple_inputs", (none, call) -> several(call)),
                required("multi_round", (none, call) -> {
                    var name = call.elicit(ElicitRequest.of("step1", "What is your name?", Name.class));
                    var color = call.elicit(ElicitRequest.of("step2", "What is your favourite colour?", Color.class));
                    return name.action() + " and " + color.action();
                }),
                required("capabilities", (none, call) -> call.capabilities().form() ? hello(call) : capital(call)));
    }

    private static Tool required(String name, ToolHandler<JsonNode, ToolContext, Object> handler) {
        return Tool.define("test_input_required_result_" + name)
                .description("Asks before it answers: " + name.replace('_', ' ') + ".")
                .handler(handler);
    }

    private static String hello(RequestContext call) throws InterruptedException {
        var name = call.elicit(ElicitRequest.of("user_name", "What is your name?", Name.class));
        return name.accepted() ? "Hello, " + name.content().path("name").asString() + "!" : "Hello, whoever you are!";
    }

    private static String capital(RequestContext call) throws InterruptedException {
        return "The capital is "
                + call.sample(new CreateMessageRequest("What is the capital of France?", 100))
                        .text();
    }

    private static String confirm(RequestContext call) throws InterruptedException {
        return "state-ok: "
                + call.elicit(ElicitRequest.of("confirm", "Go on?", Consent.class))
                        .action();
    }

    private static String several(RequestContext call) throws InterruptedException {
        var round = call.inputRequests();
        var name = round.elicit(ElicitRequest.of("user_name", "What is your name?", Name.class));
        var greeting = round.sample("greeting", new CreateMessageRequest("Say hello.", 50));
        var roots = round.listRoots("client_roots");
        round.send();
        return greeting.get().text() + ", " + name.get().action() + ", "
                + roots.get().size() + " roots";
    }

    private static Tool defaults() {
        var form = Form.of("Please check what is filled in.")
                .string("name", field -> field.defaultValue("John Doe"))
                .integer("age", field -> field.defaultValue(30))
                .number("score", field -> field.defaultValue(95.5))
                .singleSelect(
                        "status",
                        field -> field.options("active", "inactive", "pending").defaultValue("active"))
                .bool("verified", field -> field.defaultValue(true));
        return asking("test_elicitation_sep1034_defaults", form);
    }

    private static Tool choices() {
        var form = Form.of("Please choose.")
                .singleSelect("untitledSingle", field -> field.options("option1", "option2", "option3"))
                .singleSelect(
                        "titledSingle",
                        field -> field.option("value1", "First Option")
                                .option("value2", "Second Option")
                                .option("value3", "Third Option"))
                .singleSelect(
                        "legacyEnum",
                        field -> field.option("opt1", "Option One")
                                .option("opt2", "Option Two")
                                .option("opt3", "Option Three")
                                .legacyTitles())
                .multiSelect("untitledMulti", field -> field.options("option1", "option2", "option3"))
                .multiSelect(
                        "titledMulti",
                        field -> field.option("value1", "First SingleSelect")
                                .option("value2", "Second Choice")
                                .option("value3", "Third Choice"));
        return asking("test_elicitation_sep1330_enums", form);
    }

    private static Tool asking(String name, Form form) {
        return Tool.define(name).description("Asks with every kind of field.").handler((none, call) -> {
            var answer = call.elicit(form.request());
            return "Elicitation completed: action=" + answer.action() + ", content=" + answer.content();
        });
    }
}
