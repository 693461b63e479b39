// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.answer;

import io.longhaul.cli.terminal.UserConsole;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.QuestionHandler.Form;
import io.longhaul.client.QuestionHandler.Link;
import io.longhaul.client.QuestionHandler.Reply;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Asks a server's questions on the terminal, one at a time. Thread-safe. */
public final class FormDialogue {
    private static final String DECLINE = ":d";
    private static final String DISMISS = ":c";

    private final UserConsole console;
    private final ReentrantLock oneAtATime = new ReentrantLock(true);

    public FormDialogue(UserConsole console) {
        this.console = console;
    }

    /** The person declined or dismissed the form instead of giving a value. */
    private static final class Left extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Reply reply;

        Left(Reply reply) {
            super(null, null, false, false);
            this.reply = reply;
        }
    }

    public Reply form(Form form) {
        return asked(() -> {
            say(SafeText.line(form.server()) + " asks: " + SafeText.quote(form.message()));
            say("(" + DECLINE + " declines, " + DISMISS + " closes it without an answer)");
            var schema = JsonText.tree(form.schema());
            var content = JsonText.object();
            for (var property : schema.path("properties").properties()) {
                var field = new Field(
                        property.getKey(), property.getValue(), FieldValue.isRequired(schema, property.getKey()));
                ask(field).ifPresent(value -> content.set(field.name(), value));
            }
            if (schema.path("properties").isEmpty()) {
                confirm();
            }
            return new Reply.Accepted(JsonText.json(content));
        });
    }

    public Reply link(Link link) {
        return asked(() -> {
            say(SafeText.line(link.server()) + " asks you to visit an address: " + SafeText.quote(link.message()));
            say("  " + SafeText.line(link.url()));
            say("  which is at " + SafeText.line(URI.create(link.url()).getHost()));
            say("Longhaul does not open it. (" + DECLINE + " declines, " + DISMISS + " closes it without an answer)");
            confirm();
            return new Reply.Accepted(JsonText.json(JsonText.object()));
        });
    }

    private interface Dialogue {
        Reply run() throws Left, InterruptedException;
    }

    private Reply asked(Dialogue dialogue) {
        try {
            oneAtATime.lockInterruptibly();
            console.status().pause();
            try {
                return dialogue.run();
            } catch (Left left) {
                return left.reply;
            } finally {
                console.status().resume();
                oneAtATime.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Reply.Dismissed();
        }
    }

    private record Field(String name, JsonNode schema, boolean required) {
        @Nullable
        JsonNode preset() {
            return schema.get("default");
        }
    }

    private Optional<JsonNode> ask(Field field) throws Left, InterruptedException {
        var choices = FieldValue.choices(field.schema());
        var description = field.schema().path("description").asString("");
        if (!description.isEmpty()) {
            say("  " + SafeText.line(description));
        }
        IntStream.range(0, choices.size())
                .forEach(i ->
                        say("  " + (i + 1) + ") " + SafeText.line(choices.get(i).title())));
        while (true) {
            var line = line(prompt(field, choices));
            if (line.isEmpty() && (field.preset() != null || !field.required())) {
                return Optional.ofNullable(field.preset());
            }
            try {
                return Optional.of(value(line, field, choices));
            } catch (IllegalArgumentException e) {
                say("  " + SafeText.line(field.name() + " " + e.getMessage() + "."));
            }
        }
    }

    private static JsonNode value(String line, Field field, List<FieldValue.Choice> choices) {
        if (line.isEmpty()) {
            throw new IllegalArgumentException("needs a value");
        }
        if (!choices.isEmpty() && line.matches("[1-9]\\d{0,3}") && Integer.parseInt(line) <= choices.size()) {
            return choices.get(Integer.parseInt(line) - 1).value();
        }
        var value = FieldValue.read(line, field.schema());
        FieldRules.check(value, field.schema());
        return value;
    }

    private static String prompt(Field field, List<FieldValue.Choice> choices) {
        var kind = choices.isEmpty()
                ? switch (field.schema().path("type").asString("")) {
                    case "boolean" -> "yes/no";
                    case "string" -> field.schema().path("format").asString("text");
                    case "array" -> "list, such as [\"a\", \"b\"]";
                    default -> field.schema().path("type").asString("");
                }
                : "number or value";
        var preset = field.preset();
        var rest = preset != null ? ", Enter for " + preset.asString() : field.required() ? "" : ", Enter for none";
        var title = field.schema().path("title").asString(field.name());
        return SafeText.line(title + " (" + kind + rest + "): ");
    }

    private void confirm() throws Left, InterruptedException {
        while (true) {
            var line = line("Go on? (yes/no): ");
            if (line.matches("(?i)y(es)?")) {
                return;
            }
            if (line.matches("(?i)no?")) {
                throw new Left(new Reply.Declined());
            }
        }
    }

    private String line(String prompt) throws Left, InterruptedException {
        var line = console.ask(prompt.stripTrailing() + " ").orElseThrow(() -> new Left(new Reply.Dismissed()));
        if (line.equals(DECLINE)) {
            throw new Left(new Reply.Declined());
        }
        if (line.equals(DISMISS)) {
            throw new Left(new Reply.Dismissed());
        }
        return line;
    }

    private void say(String line) {
        console.terminal().err().println(line);
    }
}
