// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.call;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.exit.Problem;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.McpClient;
import io.longhaul.client.ResourcePart;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Writes a result to a file, or its parts to files of a folder. What the result links to is read from the server.
 *
 * @param place as it was given: a folder is there, or ends with a slash
 * @param read  gives the contents of a resource of the server
 */
public record SavedResult(String place, Function<String, List<ResourcePart>> read, Terminal terminal) {

    public static final Option OPTION = Option.valued(
            "--save", "PATH", "write the whole result to this file, or its files into a folder such as out/");

    private static final Pattern OF_TASK = Pattern.compile("longhaul://tasks/[^/]+/(?:files/)?(?<path>.+)");
    private static final Pattern NO_NAME = Pattern.compile("[\\\\:*?\"<>|\\p{Cntrl}]");
    private static final String RESULT = "result";

    /** Empty where the result is not to be saved. */
    public static Optional<SavedResult> of(Arguments arguments, McpClient client, Terminal terminal) {
        return arguments.value(OPTION).map(place -> {
            if (place.endsWith("/") && Files.isRegularFile(Path.of(place))) {
                throw new UsageException("--save " + place + " is a file, and no folder. Name another folder.");
            }
            return new SavedResult(place, client.resources()::read, terminal);
        });
    }

    void save(JsonNode result) {
        var parts = parts(result);
        var path = Path.of(place);
        try {
            if (place.endsWith("/") || Files.isDirectory(path)) {
                saveAll(parts, path);
            } else {
                var name = parts.containsKey(RESULT)
                        ? RESULT
                        : parts.keySet().iterator().next();
                write(path, Objects.requireNonNull(parts.get(name)));
                parts.remove(name);
                if (!parts.isEmpty()) {
                    terminal.say("not saved: " + SafeText.line(String.join(", ", parts.keySet()))
                            + ". A folder gets all, and has a slash at its end: --save FOLDER/");
                }
            }
        } catch (FileAlreadyExistsException e) {
            throw new Problem(
                    Problem.Kind.OUTPUT,
                    "cannot save the result: " + SafeText.line(String.valueOf(e.getFile()))
                            + " is a file, and no folder. Name another folder.");
        } catch (IOException e) {
            throw new Problem(
                    Problem.Kind.OUTPUT,
                    "cannot save the result: " + SafeText.line(place) + " cannot be written. Name another place.");
        }
    }

    /** The server chooses the names: no file of the user makes room for one of them. */
    private void saveAll(Map<String, byte[]> parts, Path folder) throws IOException {
        for (var name : parts.keySet()) {
            var file = folder.resolve(name);
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new Problem(
                        Problem.Kind.OUTPUT,
                        "nothing is saved: " + SafeText.line(file.toString())
                                + " is there already. Name another folder, or remove it.");
            }
        }
        for (var part : parts.entrySet()) {
            write(folder.resolve(part.getKey()), part.getValue());
        }
    }

    private void write(Path file, byte[] bytes) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.toAbsolutePath().getParent()));
        Files.write(file, bytes);
        terminal.say("saved " + SafeText.line(file.toString()) + ", " + bytes.length + " bytes");
    }

    /** The parts by the names of their files. The text of the result is {@value #RESULT}. */
    private Map<String, byte[]> parts(JsonNode result) {
        var parts = new LinkedHashMap<String, byte[]>();
        var files = new HashSet<String>();
        for (var item : result.path("content")) {
            switch (item.path("type").asString("")) {
                case "text" -> parts.merge(RESULT, bytes(item.path("text").asString("")), SavedResult::joined);
                case "resource_link" -> linked(parts, files, item);
                case "resource" -> {
                    var resource = item.path("resource");
                    var name = name(resource.path("uri").asString(RESULT));
                    parts.put(
                            name,
                            resource.has("text")
                                    ? bytes(resource.path("text").asString(""))
                                    : decoded(resource.path("blob").asString("")));
                }
                case "image", "audio" ->
                    parts.put(
                            item.path("type").asString("") + "-" + (parts.size() + 1)
                                    + item.path("mimeType")
                                            .asString("")
                                            .replace('/', '.')
                                            .replaceFirst("^[a-z]+", ""),
                            decoded(item.path("data").asString("")));
                default -> terminal.say("not saved: content of an unknown type");
            }
        }
        if (parts.isEmpty()) {
            parts.put(RESULT, bytes(JsonText.pretty(result.path("structuredContent"))));
        }
        return parts;
    }

    /**
     * The whole text stands in place of its ends; a picture that is a file has the name of the file.
     *
     * @param files the names of the parts that are files, which may have equal contents
     */
    private void linked(Map<String, byte[]> parts, Set<String> files, JsonNode link) {
        var uri = link.path("uri").asString("");
        if (uri.startsWith("http:") || uri.startsWith("https:")) {
            terminal.say("not saved: " + SafeText.line(uri));
            return;
        }
        for (var part : read.apply(uri)) {
            var bytes = switch (part) {
                case ResourcePart.Text text -> bytes(text.text());
                case ResourcePart.Bytes binary -> decoded(binary.base64());
            };
            parts.entrySet()
                    .removeIf(other -> !files.contains(other.getKey()) && Arrays.equals(other.getValue(), bytes));
            var name = name(uri);
            for (int i = 2; !files.add(name); i++) {
                name = i + "-" + name(uri);
            }
            parts.put(name, bytes);
        }
    }

    /**
     * The name of the file of a resource below a folder. A name that leads out of the folder becomes its last element,
     * no file is hidden, and what a system takes in no name becomes {@code _}.
     */
    private static String name(String uri) {
        var ofTask = OF_TASK.matcher(uri);
        var given = ofTask.matches()
                ? URLDecoder.decode(ofTask.group("path").replace("+", "%2B"), StandardCharsets.UTF_8)
                : uri.replaceFirst("^.*/", "");
        var elements = Stream.of(NO_NAME.matcher(given).replaceAll("_").split("/"))
                .filter(element -> !element.isEmpty())
                .toList();
        var inside = elements.contains("..") ? List.of(elements.getLast()) : elements;
        var file = inside.stream()
                .map(element -> element.startsWith(".") ? "_" + element : element)
                .collect(Collectors.joining("/"));
        return file.isEmpty() ? "_" : file;
    }

    private static byte[] joined(byte[] one, byte[] other) {
        return bytes(new String(one, StandardCharsets.UTF_8) + "\n" + new String(other, StandardCharsets.UTF_8));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] decoded(String base64) {
        return Base64.getMimeDecoder().decode(base64);
    }
}
