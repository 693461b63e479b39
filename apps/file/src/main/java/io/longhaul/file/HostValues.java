// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import io.longhaul.file.HostServers.UnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The values in a host's file, into which hosts fill variables: <code>${NAME}</code>, <code>${NAME:-else}</code>,
 * <code>${env:NAME}</code>, and the folders of the user and of the project.
 *
 * @param file      the host's file
 * @param variables the environment
 */
record HostValues(Path file, Function<String, Optional<String>> variables) {
    private static final Pattern PLACE = Pattern.compile("\\$\\{([^}]*)}");
    private static final Pattern NAME = Pattern.compile("(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?");

    /** @throws UnusableException where a variable is missing */
    String filled(String text) {
        return PLACE.matcher(text).replaceAll(place -> Matcher.quoteReplacement(value(place.group(1))));
    }

    private String value(String place) {
        var folder = switch (place) {
            case "userHome" -> System.getProperty("user.home");
            case "workspaceFolder" -> project().toString();
            case "pathSeparator", "/" -> file.getFileSystem().getSeparator();
            default -> null;
        };
        if (folder != null) {
            return folder;
        }
        var named = NAME.matcher(place);
        if (!named.matches()) {
            throw new UnusableException(
                    "the gateway cannot fill in ${" + place + "}", "Write the value, or the name of a variable");
        }
        return variables
                .apply(named.group(1))
                .or(() -> Optional.ofNullable(named.group(2)))
                .orElseThrow(() -> new UnusableException(
                        "the variable " + named.group(1) + " is not set", "Set it where the gateway is started"));
    }

    /** Editors keep their file in a folder of the project. */
    private Path project() {
        var folder = file.toAbsolutePath().getParent();
        return folder.getFileName() != null && folder.getFileName().toString().startsWith(".")
                ? folder.getParent()
                : folder;
    }

    Path path(String text) {
        var filled = filled(text);
        var home = filled.equals("~") || filled.startsWith("~/")
                ? System.getProperty("user.home") + filled.substring(1)
                : filled;
        return project().resolve(home).normalize();
    }

    List<String> list(JsonNode node) {
        return node.valueStream().map(word -> filled(word.asString(""))).toList();
    }

    Map<String, String> texts(JsonNode node) {
        var texts = new LinkedHashMap<String, String>();
        node.properties()
                .forEach(member ->
                        texts.put(member.getKey(), filled(member.getValue().asString(""))));
        return texts;
    }

    /** The variables of a file with a line for each. */
    Map<String, String> variablesOf(Path lines) {
        var all = new LinkedHashMap<String, String>();
        try {
            for (var line : Files.readAllLines(lines)) {
                int cut = line.indexOf('=');
                if (cut > 0 && !line.startsWith("#")) {
                    var value = line.substring(cut + 1).strip();
                    all.put(
                            line.substring(0, cut).replaceFirst("^export ", "").strip(),
                            value.replaceFirst("^(['\"])(.*)\\1$", "$2"));
                }
            }
            return all;
        } catch (IOException e) {
            throw new UnusableException(lines + " cannot be read", "Name a file that is there");
        }
    }
}
