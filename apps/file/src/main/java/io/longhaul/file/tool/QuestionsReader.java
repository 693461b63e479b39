// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tool;

import io.longhaul.file.tool.ToolEntry.Question;
import io.longhaul.file.tree.Binder;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.YamlTree;
import io.longhaul.file.value.Conditions;
import io.longhaul.file.value.InputReader;
import io.longhaul.file.value.Placeholders;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads the questions of a tool, and which answers let its work run. */
record QuestionsReader(Binder in, FileFields file, String at) {

    /** The key of the question for approval, which comes last before the work. */
    private static final String APPROVE = "approve";

    QuestionsReader(Binder in, String at) {
        this(in, in.file(), at);
    }

    /** The fields of a question that are single values. */
    private record Fields(
            @Nullable String key,
            @Nullable String message,
            boolean after,

            @Binder.Named(value = "fallback", says = "argument")
            boolean asArgument) {}

    /** Reads the questions, whose answers can fill places from then on. */
    List<Question> read(Placeholders places, ObjectNode inputs) {
        var questions = new ArrayList<Question>();
        var keys = new HashSet<String>();
        if (file.has(at + "/" + APPROVE)) {
            keys.add(APPROVE);
        }
        file.places(at + "/elicit").forEach(place -> {
            var fields = in.read(place, "question", Fields.class);
            var key = Objects.requireNonNullElse(fields.key(), "question" + (questions.size() + 1));
            if (!keys.add(key)) {
                file.wrong(place, FileFields.quote(key) + " is the key of another question", "Choose another one");
            }
            var question = question(place, key, fields, places, inputs);
            if (!question.after()) {
                places.addAnswers(key + ".", question.schema());
            }
            questions.add(question);
        });
        if (file.has(at + "/" + APPROVE)) {
            questions.add(approval(places));
        }
        return questions;
    }

    private Question question(String place, String key, Fields written, Placeholders places, ObjectNode inputs) {
        var message = places.template(place + "/message", written.message());
        var fields = new InputReader(file, false).read(place + "/fields");
        if (written.asArgument()) {
            checkFallback(place + "/fallback", key, inputs);
        }
        var must = new Conditions(file, fields.path("properties"), file.isTakenOut(place + "/fields"))
                .read(place + "/must", "field of this question", "The question has no fields.");
        return new Question(key, message, new Question.Form(fields, must), written.after(), written.asArgument());
    }

    private Question approval(Placeholders places) {
        var message = places.template(at + "/" + APPROVE, file.text(at + "/" + APPROVE));
        var empty = JsonNodeFactory.instance.objectNode().put("type", "object");
        empty.putObject("properties");
        var form = new Question.Form(empty, JsonNodeFactory.instance.objectNode());
        return new Question(APPROVE, message, form, false, false);
    }

    private void checkFallback(String place, String key, ObjectNode inputs) {
        if (inputs.path("properties").has(key)) {
            var problem = "would make a second argument " + FileFields.quote(key) + " beside the input";
            file.wrong(place, problem, "Choose another key for the question");
        }
        if (file.flag(at + "/taskOnly")) {
            var fix = "Keep one of the two: a caller without tasks cannot call the tool";
            file.wrong(place, "stands beside taskOnly", fix);
        }
    }

    /**
     * Refuses a yes or no that decides nothing: whatever the person chose, the work would run, and in the same way.
     *
     * @param inWork the places that the work fills
     */
    void refuseUnused(List<Question> questions, Set<String> inWork) {
        var each = questions.iterator();
        file.places(at + "/elicit").forEach(place -> {
            var question = each.next();
            for (var written : file.node(place + "/fields").propertyNames()) {
                var name = written.endsWith("?") ? written.substring(0, written.length() - 1) : written;
                var value = question.key() + "." + name;
                boolean isUsed = question.form().must().path("properties").has(name) || inWork.contains(value);
                var type = question.schema().path("properties").path(name).path("type");
                if (type.asString("").equals("boolean") && !isUsed) {
                    file.wrong(
                            YamlTree.below(place + "/fields", written),
                            "decides nothing: the "
                                    + (question.after() ? "result is handed out" : "tool runs")
                                    + " with false, too",
                            "Write must: {" + name + ": true} beside fields"
                                    + (question.after() ? "" : ", or approve: with a question for yes or no"));
                }
            }
        });
    }
}
