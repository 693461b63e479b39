// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tree;

import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Refuses variables in the words of a shell and of other formats, such as <code>${TOKEN}</code> and {@code $TOKEN}: no
 * variable is filled into a file of tools, so that the text would be used as it stands.
 */
public final class Variables {

    /** {@code ${NAME}}, {@code ${NAME:-else}}, {@code ${env:NAME}}, {@code {env:NAME}}, {@code ${{ secrets.NAME }}}. */
    private static final Pattern IN_BRACES = Pattern.compile("\\$\\{(?:env:)?([A-Z_][A-Z0-9_]*)(?::?[-=?+][^}]*)?}"
            + "|\\{env:([A-Za-z_][A-Za-z0-9_]*)}"
            + "|\\$?\\{\\{\\s*(?:secrets|env|vars)\\.([A-Za-z_][A-Za-z0-9_]*)\\s*}}");

    /** {@code $NAME}, where it begins a word or a part of a path. */
    private static final Pattern BARE = Pattern.compile("(?<![A-Za-z0-9_$\\\\])\\$([A-Z_][A-Z0-9_]+)\\b");

    /** Fields with texts for people and models, schemas, patterns, and words that are checked on their own. */
    private static final Set<String> OF_OTHERS = Set.of(
            "description",
            "title",
            "instructions",
            "immediate",
            "message",
            "approve",
            "input",
            "inputSchema",
            "output",
            "outputSchema",
            "fields",
            "longWhen",
            "progress",
            "partial",
            "hide",
            "examples",
            "arguments",
            "command",
            "stdin");

    /** Fields with a text that others read, where a dollar sign can have a meaning. */
    private static final Set<String> OF_BODIES = Set.of("json", "form", "query");

    private static final String KEPT = ", which stays as it is: a file of tools has no variables";

    private final FileFields file;

    private Variables(FileFields file) {
        this.file = file;
    }

    /** Reports the variables in all fields but the commands. */
    public static void check(FileFields file) {
        new Variables(file).walk("", file.node(""), false);
    }

    /** The variable in braces in a text; empty where there is none. */
    public static Optional<String> inBraces(String text) {
        return first(IN_BRACES, text).map(MatchResult::group);
    }

    /** The variable without braces in a text; empty where there is none. */
    public static Optional<String> bare(String text) {
        return first(BARE, text).map(MatchResult::group);
    }

    private static Optional<MatchResult> first(Pattern pattern, String text) {
        return pattern.matcher(text).results().findFirst();
    }

    private void walk(String at, JsonNode node, boolean isBody) {
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            walk(at + "/" + i, node.get(i), isBody);
        }
        node.properties().forEach(field -> {
            var name = field.getKey();
            boolean isName = at.matches("/(tools|upstreams|schedules|triggers|notify|hosts)|.*/(headers|env)");
            if (isName || !OF_OTHERS.contains(name)) {
                walk(YamlTree.below(at, name), field.getValue(), isBody || !isName && OF_BODIES.contains(name));
            }
        });
        if (node.isString()) {
            var text = node.stringValue();
            first(IN_BRACES, text)
                    .or(() -> isBody ? Optional.empty() : first(BARE, text))
                    .ifPresent(variable -> refuse(at, text, variable));
        }
    }

    /** A variable of a command with several words may itself be a command, which a shell reads later. */
    private void refuse(String at, String text, MatchResult variable) {
        var problem = "has " + variable.group() + KEPT;
        var fix = fix(at, text, variable);
        if (isOfEnvironment(at) && text.contains(" ")) {
            file.warn(at, problem, fix);
        } else {
            file.wrong(at, problem, fix);
        }
    }

    private static boolean isOfEnvironment(String at) {
        return at.matches("/tools/[^/]+/env/[^/]+");
    }

    private String fix(String at, String text, MatchResult variable) {
        var name = name(variable);
        if (isOfEnvironment(at)) {
            return text.equals(variable.group())
                    ? "Write {env: " + name + "}, or {file: NAME} for a secret in a file"
                    : "Write the value itself; {env: NAME} and {file: NAME} stand for a whole value";
        }
        if (at.matches(".*/headers/[^/]+") && text.endsWith(variable.group())) {
            var before = text.substring(0, variable.start());
            return "Write {env: " + name + (before.isEmpty() ? "" : ", before: " + FileFields.quote(before))
                    + "}, or {file: NAME} in place of {env: " + name + "}";
        }
        return "Write the value itself; a secret is {env: " + name + "} or {file: NAME}, in fields that take one";
    }

    private static String name(MatchResult variable) {
        for (int group = 1; group <= variable.groupCount(); group++) {
            if (variable.group(group) != null) {
                return variable.group(group);
            }
        }
        throw new IllegalStateException(variable.group());
    }
}
