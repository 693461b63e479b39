// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.work;

import io.longhaul.backend.http.HttpJob;
import io.longhaul.backend.http.JobStates;
import io.longhaul.engine.run.Template;
import io.longhaul.file.rights.RightsEntry;
import io.longhaul.file.secret.SecretSource;
import io.longhaul.file.secret.SentHeaders;
import io.longhaul.file.tree.Binder;
import io.longhaul.file.tree.BuilderSteps;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.YamlTree;
import io.longhaul.file.value.Placeholders;
import io.longhaul.protocol.call.CallerInfo;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads the job of an API. */
public final class HttpReader {
    /** Shorter than hosts wait for a call. */
    private static final Duration QUICK_PATIENCE = Duration.ofSeconds(20);

    private static final int USUAL_PAGES = 10;

    private static final String ADDRESS = "Write an address such as https://ci.example.com/builds/{input}";
    private static final String CALLBACK = "callback";
    private static final String ANY = "http://localhost/";

    private final Binder in;
    private final FileFields file;
    private final String tool;
    private final String at;
    private final Placeholders places;
    private BuilderSteps<HttpJob.Builder> steps;

    /** Reads the tool at a place of the file. */
    public HttpReader(Binder in, String tool, Placeholders places) {
        this.in = in;
        this.file = in.file();
        this.tool = tool;
        this.at = tool + "/http";
        this.places = places;
        this.steps = new BuilderSteps<>(file, at, HttpJob.at(ANY), "");
    }

    public HttpEntry read(String name) {
        var lost = "the job is found again, and idempotencyKey: lets a lost start be sent again";
        CommandReader.refuse(file, tool, "http", lost);
        places.add("task.", known("key", "id", "arguments", CALLBACK));
        places.add("job.", known("id", "offset"));
        places.add("", known(CallerInfo.VALUES.toArray(String[]::new)));
        var url = address(at + "/url");
        start(url);
        headers();
        body();
        status();
        result(name);
        rest();
        whole();
        boolean callsBack = places.isUsed("task." + CALLBACK);
        if (callsBack && !file.has("/address")) {
            var problem = "has {task.callback}, and the file does not say by which address an API reaches this server";
            var fix = "Write address: with it. An API on this machine needs none; a server over stdio has no address";
            file.warn(at, problem, fix);
        }
        if (CallerInfo.VALUES.stream().anyMatch(places::isUsed)) {
            RightsEntry.warnWithoutCallers(file, at);
        }
        var start = url == null ? ANY : url;
        return new HttpEntry(
                env -> steps.applied(HttpJob.at(start), env).build(),
                callsBack,
                file.has(at + "/result/download"),
                tokens(start));
    }

    private @Nullable JobTokens tokens(String url) {
        var place = at + "/auth";
        if (!file.has(place)) {
            return null;
        }
        var rights = in.read(place, "rights", RightsEntry.class);
        rights.check(file, at);
        if (file.has(at + "/result/download")) {
            var problem = "stands beside auth, and anybody with the address of a result can read it";
            file.wrong(at + "/result/download", problem, "Keep one of the two");
        }
        var origin = FileFields.address(Template.parse(url).fill(slot -> "x")).orElse(URI.create(ANY));
        return new JobTokens(rights, file.node(place).toString(), origin.resolve("/"));
    }

    private static ObjectNode known(String... names) {
        var schema = JsonNodeFactory.instance.objectNode();
        for (var name : names) {
            schema.withObjectProperty("properties").putObject(name);
            schema.withArrayProperty("required").add(name);
        }
        return schema;
    }

    /** A text with places; null where there is none. */
    private @Nullable String text(String place) {
        var text = file.text(place);
        return text == null ? null : places.template(place, text).text();
    }

    /** An address whose places always have values. */
    private @Nullable String address(String place) {
        var written = file.text(place);
        if (written == null) {
            return null;
        }
        var template = places.template(place, written);
        if (places.canBeMissing(template)) {
            var fix = "Give it a default, or put it into query: of http";
            file.wrong(place, "has an input that a call can leave out", fix);
        }
        return template.text();
    }

    private void start(@Nullable String url) {
        if (url != null) {
            try {
                steps = new BuilderSteps<>(file, at, HttpJob.at(url), "");
            } catch (IllegalArgumentException e) {
                file.wrong(at + "/url", String.valueOf(e.getMessage()), ADDRESS);
            }
        }
        steps.given("method", "", HttpJob.Builder::method);
        var key = file.text(at + "/idempotencyKey");
        if (key != null && !key.equals("false")) {
            var header = key.equals("true") ? "Idempotency-Key" : key;
            steps.add(at + "/idempotencyKey", "Name a header", (builder, env) -> builder.idempotencyKey(header));
        }
        parts("query", HttpJob.Builder::query, HttpJob.Builder::query);
        parts("cookies", HttpJob.Builder::cookie, (builder, name, text, style, isExploded) -> {});
        pages();
    }

    private interface Part {
        void set(HttpJob.Builder builder, String name, String text);
    }

    private interface StyledPart {
        void set(HttpJob.Builder builder, String name, String text, String style, boolean isExploded);
    }

    private void parts(String field, Part part, StyledPart styled) {
        for (var name : file.node(at + "/" + field).propertyNames()) {
            var place = YamlTree.below(at + "/" + field, name);
            if (!file.node(place).isObject()) {
                steps.given(place, "Correct it", text(place), (builder, text) -> part.set(builder, name, text));
            } else if (file.has(place + "/value")) {
                var style = file.text(place + "/style", "form");
                boolean isExploded =
                        file.has(place + "/explode") ? file.flag(place + "/explode") : style.equals("form");
                steps.given(
                        place,
                        "Correct it",
                        text(place + "/value"),
                        (builder, text) -> styled.set(builder, name, text, style, isExploded));
            } else if (field.equals("query")) {
                SecretSource.read(in, place)
                        .ifPresent(secret -> steps.add(
                                place, "Use another one", (builder, env) -> builder.query(name, secret.in(env))));
            } else {
                file.wrong(place, "has no value", "Write value: with a text");
            }
        }
    }

    private void pages() {
        var place = at + "/pages";
        if (!file.has(place)) {
            return;
        }
        var items = JsonPointer.compile(file.text(place + "/items", ""));
        var next = file.text(place + "/next");
        var most = file.number(place + "/most");
        steps.add(
                place,
                "Correct it",
                (builder, env) -> builder.pages(
                        items,
                        next == null ? null : JsonPointer.compile(next),
                        file.text(place + "/query"),
                        most == null ? USUAL_PAGES : most));
    }

    private void headers() {
        var headers = in.read(at, "http", SentHeaders.class);
        headers.secrets()
                .forEach((name, secret) -> steps.add(
                        YamlTree.below(at + "/headers", name),
                        "Use another one",
                        (builder, env) -> builder.header(
                                name, secret.before(), secret.secret().apply(env))));
        headers.texts().keySet().forEach(name -> {
            var place = YamlTree.below(at + "/headers", name);
            steps.given(place, "Use another one", text(place), (builder, text) -> builder.header(name, text));
        });
    }

    private void body() {
        var json = at + "/json";
        file.apart(at + "/form", "Keep one of the two", at, "json");
        file.apart(at + "/text", "Keep one of the two", at, "json", "form");
        var type = file.text(at + "/contentType");
        if (file.has(json)) {
            var template = file.node(json);
            places.check(json, template);
            if (places.isUsed("task.arguments")) {
                places.useAll();
            }
            steps.add(json, "Correct it", (builder, env) -> builder.json(template, usually(type, "application/json")));
        }
        steps.given(
                at + "/text",
                "Correct it",
                text(at + "/text"),
                (builder, text) -> builder.text(text, usually(type, "text/plain")));
        if ("multipart/form-data".equals(type)) {
            multipart();
        } else {
            parts("form", HttpJob.Builder::form, HttpJob.Builder::form);
        }
        boolean isUsual = !file.has(json) && !file.has(at + "/form") && !file.has(at + "/text");
        var method = file.text(at + "/method");
        if (isUsual && (method == null || !Set.of("GET", "DELETE").contains(method))) {
            places.useAll();
        }
    }

    private static String usually(@Nullable String type, String usual) {
        return type == null ? usual : type;
    }

    private void multipart() {
        for (var name : file.node(at + "/form").propertyNames()) {
            var place = YamlTree.below(at + "/form", name);
            var value = file.node(place).isObject() ? place + "/value" : place;
            steps.given(
                    place,
                    "Correct it",
                    text(value),
                    (builder, text) -> builder.multipart(name, text, file.text(place + "/filename")));
        }
    }

    private void status() {
        var place = at + "/status";
        if ("none".equals(file.text(place))) {
            steps.add(place, "Leave it out", (builder, env) -> builder.followed(false));
            return;
        }
        var url = address(file.node(place).isObject() ? place + "/url" : place);
        steps.given(place, ADDRESS, url, HttpJob.Builder::status);
        if (!file.node(place).isObject()) {
            return;
        }
        steps.given("status/link", "", HttpJob.Builder::statusLink);
        steps.given("status/progress", "", HttpJob.Builder::progress);
        steps.given("status/total", "", HttpJob.Builder::total);
        steps.given("status/message", "", HttpJob.Builder::message);
        states(place);
        steps.given(place, "", file.duration(place + "/every"), HttpJob.Builder::every);
    }

    private void states(String place) {
        var state = file.text(place + "/state");
        var usual = JobStates.USUAL;
        try {
            var words = new JobStates(
                    words(place + "/done", usual.done()),
                    words(place + "/failed", usual.failed()),
                    words(place + "/cancelled", usual.cancelled()));
            if (state != null) {
                steps.add(place, "", (builder, env) -> builder.state(state, words));
            } else if (!words.equals(usual)) {
                file.wrong(place, "does not say where the state is", "Write state: with a JSON pointer");
            }
        } catch (IllegalArgumentException e) {
            file.wrong(place, String.valueOf(e.getMessage()), "Keep each word in one of the lists");
        }
    }

    /** The words for a state: those of the file, else the usual ones that the file does not give to another state. */
    private Set<String> words(String place, Set<String> usual) {
        if (file.has(place)) {
            return Set.copyOf(file.texts(place));
        }
        var left = new HashSet<>(usual);
        for (var other : List.of("done", "failed", "cancelled")) {
            file.texts(place.substring(0, place.lastIndexOf('/') + 1) + other).stream()
                    .map(word -> word.toLowerCase(Locale.ROOT))
                    .forEach(left::remove);
        }
        return left;
    }

    private void result(String name) {
        var place = at + "/result";
        if (!file.node(place).isObject()) {
            steps.given("result", "", HttpJob.Builder::result);
            return;
        }
        steps.given(place + "/url", ADDRESS, address(place + "/url"), HttpJob.Builder::resultAt);
        steps.given("result/link", "", HttpJob.Builder::resultLink);
        steps.given("result/at", "", HttpJob.Builder::result);
        var download = file.duration(place + "/download");
        if (download != null) {
            steps.add(place + "/download", "", (builder, env) -> builder.download(name, download));
            downloadedWhole(place);
        }
    }

    private void downloadedWhole(String place) {
        if (!file.has(place + "/url") && !file.has(place + "/link") && !file.isTakenOut(place + "/url")) {
            var fix = "Write url: or link: beside it";
            file.wrong(place + "/download", "needs a result that is at an address of the API", fix);
        }
        for (var field : List.of("quick", "longWhen")) {
            if (file.has(tool + "/" + field)) {
                var problem = "stands beside " + field + ", and the address of a result ends with a task";
                file.wrong(place + "/download", problem, "Keep one of the two");
            }
        }
        if ("json".equals(file.text(tool + "/result"))) {
            var problem = "stands beside result: json, and the result is an address";
            file.wrong(place + "/download", problem, "Keep one of the two");
        }
    }

    private void rest() {
        steps.given(at + "/partial", ADDRESS, address(at + "/partial"), HttpJob.Builder::partialAt);
        steps.given("id", "", HttpJob.Builder::id);
        steps.given("error", "", HttpJob.Builder::error);
        var method = file.text(at + "/cancel/method", "DELETE");
        var cancel = at + "/cancel/url";
        steps.given(cancel, ADDRESS, address(cancel), (builder, url) -> builder.cancel(method, url));
        file.places(at + "/hosts")
                .forEach(place -> steps.given(place, "Name a host", file.text(place), HttpJob.Builder::host));
        steps.given(at, "", file.duration(at + "/timeout"), HttpJob.Builder::timeout);
        var refused = new HashSet<Integer>();
        file.node(tool + "/retry/statusCodes")
                .valueStream()
                .filter(JsonNode::isInt)
                .forEach(code -> refused.add(code.intValue()));
        steps.add(tool + "/retry", "", (builder, env) -> builder.retriedCodes(refused));
        var patience = file.duration(at + "/patience");
        var usual = file.has(tool + "/quick") ? QUICK_PATIENCE : null;
        steps.given(at, "", patience == null ? usual : patience, HttpJob.Builder::patience);
        var most = file.size(tool + "/maxOutput");
        if (most != null && most <= Integer.MAX_VALUE) {
            steps.add(at, "", (builder, env) -> builder.maxResult(Math.toIntExact(most)));
        }
    }

    /** Reports mistakes that concern several fields. */
    private void whole() {
        try {
            steps.trial().build();
        } catch (IllegalArgumentException e) {
            file.wrong(at, String.valueOf(e.getMessage()), "Correct one of the fields");
        }
    }
}
