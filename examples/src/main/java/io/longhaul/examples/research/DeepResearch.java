// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.research;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.ChildFailedException;
import io.longhaul.server.ChildTask;
import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.TaskContext;
import io.longhaul.server.Tool;
import io.longhaul.server.annotation.McpParam;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * Answers questions from the documents of a folder. One task asks the person how thorough the answers shall be, and
 * calls a task for each question. These tasks run concurrently, search in rounds, and ask the model of the client. The
 * report grows meanwhile, section by section.
 */
public final class DeepResearch {

    private static final int LONGEST_ANSWER = 200;

    private DeepResearch() {}

    record Request(
            @McpParam(description = "A folder with documents, as .txt or .md")
            String folder,

            @McpParam(description = "The questions, with semicolons between them")
            String questions) {}

    enum Depth {
        BRIEF,
        THOROUGH
    }

    record Choice(
            @McpParam(
                    description = "Whether one search will do, or each find leads to another one and the documents are"
                            + " compared with each other",
                    defaultValue = "BRIEF")
            Depth depth) {}

    record Question(String folder, String question, int rounds) {}

    record Found(List<Passage> passages) {}

    record Answer(String text, List<String> sources) {}

    record Compared(List<Repeated> repeated) {}

    record Report(int documents, Depth depth, String text, List<Repeated> repeated) {}

    public static List<Tool> tools() {
        return List.of(
                Tool.define("research")
                        .description("Answers questions from the documents of a folder, in a report that grows.")
                        .input(Request.class)
                        .output(Report.class)
                        .longRunning(t -> t.onCrash(CrashPolicy.RESTART))
                        .handler(DeepResearch::report),
                Tool.define("answer_question")
                        .description("Answers one question from the documents of a folder.")
                        .input(Question.class)
                        .output(Answer.class)
                        .longRunning(t -> t.onCrash(CrashPolicy.RESTART))
                        .handler(DeepResearch::answer));
    }

    private static Report report(Request request, TaskContext task) throws Exception {
        var questions = Arrays.stream(request.questions().split(";"))
                .map(String::strip)
                .filter(question -> !question.isEmpty())
                .toList();
        var library = Library.of(Path.of(request.folder()));
        var documents = library.documents();
        var depth = depth(task, questions.size() + " questions to " + documents.size() + " documents: how thorough?");
        var children = new ArrayList<ChildTask>();
        for (int i = 0; i < questions.size(); i++) {
            var question = new Question(request.folder(), questions.get(i), depth == Depth.BRIEF ? 1 : 3);
            children.add(task.call("question " + (i + 1), "answer_question", question));
        }
        var text = new StringBuilder();
        // A child can ask only while a thread waits for it. With a thread for each child, all can ask at the same time.
        try (var waiting = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<Answer>>();
            children.forEach(child -> answers.add(waiting.submit(() -> child.await(Answer.class))));
            for (int i = 0; i < answers.size(); i++) {
                var section = section(questions.get(i), ended(answers.get(i)));
                text.append(section);
                if (i >= task.partialCount()) {
                    task.partial(section);
                }
                task.progress(i + 1, answers.size() + documents.size(), questions.get(i));
            }
        }
        var repeated = depth == Depth.BRIEF ? List.<Repeated>of() : repeated(library, questions.size(), task);
        return new Report(documents.size(), depth, text.toString(), repeated);
    }

    /** Compares each document with all others. */
    private static List<Repeated> repeated(Library library, int questions, TaskContext task) throws Exception {
        var documents = library.documents();
        var repeated = new ArrayList<Repeated>();
        for (int i = 0; i < documents.size(); i++) {
            var document = documents.get(i);
            repeated.addAll(
                    task.step("compare " + document, Compared.class, () -> new Compared(library.repeated(document)))
                            .repeated());
            task.progress(questions + i + 1, questions + documents.size(), document + " is compared with the others");
        }
        return repeated;
    }

    /** The answer of a child. A failed question ends the report with the same failure. */
    private static Answer ended(Future<Answer> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ChildFailedException failed) {
                throw failed;
            }
            throw new IllegalStateException(e);
        }
    }

    /** The depth that the person chooses. A caller that cannot be asked gets a brief report. */
    private static Depth depth(TaskContext task, String message) throws InterruptedException {
        if (!task.capabilities().form()) {
            return Depth.BRIEF;
        }
        var answer = task.elicit(message, Choice.class);
        return answer.accepted() ? answer.content().depth() : Depth.BRIEF;
    }

    private static String section(String question, Answer answer) {
        return "## " + question + "\n\n" + answer.text() + "\n\nFrom: " + String.join(", ", answer.sources()) + "\n\n";
    }

    /** Answers one question. Each round searches for the words of the question, and for those of earlier rounds. */
    private static Answer answer(Question asked, TaskContext task) throws Exception {
        var library = Library.of(Path.of(asked.folder()));
        var words = new LinkedHashSet<>(Library.terms(asked.question()));
        var read = new LinkedHashSet<Passage>();
        for (int round = 1; round <= asked.rounds(); round++) {
            var found =
                    task.step("search " + round, Found.class, () -> new Found(library.best(words, 3 + read.size())));
            var news = found.passages().stream().filter(read::add).toList();
            news.forEach(passage -> words.addAll(library.tellingTerms(passage, 3)));
            task.progress(round, asked.rounds() + 1, read.size() + " passages");
        }
        if (read.isEmpty()) {
            return new Answer("The documents do not say.", List.of());
        }
        var text =
                task.capabilities().sampling() ? asked(task, asked.question(), read) : quoted(asked.question(), read);
        return new Answer(text, read.stream().map(Passage::document).distinct().toList());
    }

    /** The answer of the client's model, which is asked only once, even across a crash. */
    private static String asked(TaskContext task, String question, LinkedHashSet<Passage> read)
            throws InterruptedException {
        var prompt = read.stream()
                .map(passage -> "[" + passage.document() + "] " + passage.text())
                .collect(Collectors.joining("\n\n", "Question: " + question + "\n\nPassages:\n\n", ""));
        var rule = "Answer the question from the passages alone, in at most three sentences.";
        return task.sample(new CreateMessageRequest(prompt, rule, LONGEST_ANSWER))
                .text();
    }

    /** The answer without a model: the sentences with the most words of the question. */
    private static String quoted(String question, LinkedHashSet<Passage> read) {
        var words = new HashSet<>(Library.terms(question));
        return read.stream()
                .flatMap(passage -> Arrays.stream(passage.text().split("(?<=\\.)\\s+")))
                .sorted(Comparator.comparingLong((String sentence) -> -Library.terms(sentence).stream()
                        .distinct()
                        .filter(words::contains)
                        .count()))
                .limit(2)
                .collect(Collectors.joining(" "));
    }
}
