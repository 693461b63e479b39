// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.work;

import io.longhaul.backend.http.request.JsonTemplate;
import io.longhaul.backend.temporal.Temporal;
import io.longhaul.backend.temporal.WorkflowJob;
import io.longhaul.engine.secret.Secret;
import io.longhaul.file.secret.SecretSource;
import io.longhaul.file.secret.SentHeaders;
import io.longhaul.file.tree.Binder;
import io.longhaul.file.tree.BuilderSteps;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.value.Placeholders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.BiConsumer;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reads the workflow of a tool. */
public final class WorkflowReader {
    private final Binder in;
    private final FileFields file;
    private final String tool;
    private final String at;
    private final Placeholders places;
    private final BuilderSteps<WorkflowJob.Builder> steps;

    /** Reads the tool at a place of the file. */
    public WorkflowReader(Binder in, String tool, Placeholders places) {
        this.in = in;
        this.file = in.file();
        this.tool = tool;
        this.at = tool + "/workflow";
        this.places = places;
        this.steps = new BuilderSteps<>(file, at, Temporal.workflow("trial").taskQueue("trial"), "");
    }

    public WorkflowEntry read() {
        CommandReader.refuse(file, tool, "workflow", "the workflow is found again");
        CommandReader.refuseStatusCodes(file, tool);
        if (file.has(tool + "/http")) {
            file.wrong(tool + "/http", "stands beside workflow", "Keep one of the two");
        }
        if (!Temporal.hasClient()) {
            file.wrong(
                    at,
                    "needs the client of Temporal, which is not installed",
                    "Unpack the archive longhaul-temporal of this version in the folder of Longhaul");
        }
        arguments();
        steps.given("taskQueue", "Name the queue that the workers poll", WorkflowJob.Builder::taskQueue);
        steps.given("address", "Write a host and a port such as localhost:7233", WorkflowJob.Builder::address);
        steps.given("namespace", "Name a namespace", WorkflowJob.Builder::namespace);
        steps.given("idPrefix", "Write a short text such as report-", WorkflowJob.Builder::idPrefix);
        if ("task".equals(file.text(at + "/id"))) {
            steps.untried((builder, env) -> builder.idOfTask());
        }
        steps.given("ui", "Write an address such as http://localhost:8233", WorkflowJob.Builder::ui);
        if (file.has(at + "/apiKey")) {
            SecretSource.read(in, at + "/apiKey")
                    .ifPresent(source -> steps.untried((builder, env) -> builder.apiKey(source.in(env))));
        }
        encryption();
        codec();
        ends();
        var type = file.text(at + "/type");
        return new WorkflowEntry(env ->
                steps.applied(Temporal.workflow(String.valueOf(type)), env).build());
    }

    private void arguments() {
        var place = at + "/arguments";
        if (!file.has(place)) {
            places.useAll();
            return;
        }
        var list = file.node(place);
        places.check(place, list);
        var arguments = list.valueStream().map(JsonTemplate::new).toList();
        steps.untried((builder, env) -> builder.arguments(call -> arguments.stream()
                .map(argument -> argument.fill(call).orElseGet(JsonNodeFactory.instance::nullNode))
                .toList()));
    }

    private void codec() {
        var place = at + "/codec";
        var url = file.text(place + "/url");
        if (url == null) {
            return;
        }
        var sent = in.read(place, "workflowCodec", SentHeaders.class);
        steps.add(place + "/url", "Write an address such as https://codec.example.com", (builder, env) -> {
            var headers = new LinkedHashMap<String, Secret>();
            sent.texts().forEach((name, text) -> headers.put(name, () -> text));
            sent.secrets().forEach((name, header) -> {
                var secret = header.secret().apply(env);
                headers.put(name, () -> header.before() + secret.read());
            });
            builder.codecServer(url, headers);
        });
    }

    private void encryption() {
        var place = at + "/tls";
        if (!file.node(place).isObject()) {
            if (file.has(place) && file.flag(place)) {
                steps.add(place, "", (builder, env) -> builder.tls());
            }
            return;
        }
        steps.add(place, "", (builder, env) -> builder.tls());
        pem(place + "/authority").ifPresent(pem -> steps.add(place, "", (builder, env) -> builder.authority(pem)));
        var certificate = pem(place + "/certificate");
        var key = pem(place + "/key");
        if (certificate.isPresent() != key.isPresent()) {
            file.wrong(place, "has one of certificate and key", "Write both, or leave both out");
        } else if (certificate.isPresent()) {
            steps.add(place, "", (builder, env) -> builder.identity(certificate.get(), key.get()));
        }
    }

    private Optional<Path> pem(String place) {
        return Optional.ofNullable(file.text(place)).map(name -> {
            var path = in.base().resolve(name).normalize();
            if (!Files.isReadable(path)) {
                file.warn(place, path + " cannot be read", "Write it there in PEM");
            }
            return path;
        });
    }

    private void ends() {
        var place = at + "/terminate";
        if (file.node(place).isBoolean()) {
            if (file.flag(place)) {
                steps.add(place, "", (builder, env) -> builder.terminateAfter(Duration.ZERO));
            }
        } else {
            time("terminate", WorkflowJob.Builder::terminateAfter);
        }
        time("every", WorkflowJob.Builder::every);
        time("patience", WorkflowJob.Builder::patience);
    }

    private void time(String field, BiConsumer<WorkflowJob.Builder, Duration> set) {
        steps.given(at + "/" + field, "", file.duration(at + "/" + field), set);
    }
}
