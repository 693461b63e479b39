// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.manual;

import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand.Help;
import io.longhaul.cli.command.Version;
import io.longhaul.cli.connect.NamedServer;
import io.longhaul.cli.exit.ExitCode;
import java.util.ArrayList;
import java.util.List;

/** The page that {@code man} shows, with every command and every option. */
final class ManPage {

    private ManPage() {}

    static List<String> of(CommandLines lines) {
        var page = new ArrayList<>(List.of(
                ".TH LONGHAUL 1 \"\" \"longhaul " + text(Version.TEXT) + "\" \"User Commands\"",
                ".SH NAME",
                "longhaul \\- long\\-running work as durable tasks over the Model Context Protocol",
                ".SH SYNOPSIS",
                ".B longhaul",
                "COMMAND [options]",
                ".SH COMMANDS"));
        lines.commands().values().forEach(help -> command(help, page));
        page.addAll(List.of(".SH EXIT STATUS", ".nf"));
        ExitCode.OF_CALLS.lines().map(ManPage::text).forEach(page::add);
        page.addAll(List.of(
                ".fi",
                ".SH ENVIRONMENT",
                ".TP",
                ".B " + NamedServer.VARIABLE,
                "The address of the server for commands that name none.",
                ".TP",
                ".B LONGHAUL_DEBUG",
                "If this variable is set, an error is printed with its stack trace.",
                ".TP",
                ".B NO_COLOR",
                "If this variable is set, the output has no colours."));
        return page;
    }

    private static void command(Help help, List<String> page) {
        page.add(".SS longhaul " + text(help.usage()));
        page.add(text(help.summary()) + ".");
        if (!help.details().isEmpty()) {
            page.addAll(List.of(".PP", ".nf"));
            help.details().stream().flatMap(String::lines).map(ManPage::text).forEach(page::add);
            page.add(".fi");
        }
        help.options().forEach(option -> option(option, page));
    }

    private static void option(Option option, List<String> page) {
        page.add(".TP");
        page.add(".B " + text(option.name() + (option.value() == null ? "" : " " + option.value())));
        page.add(text(option.help()));
    }

    /** Escapes a line of text: one that begins with a dot or a quote would be a request, and a hyphen a dash. */
    private static String text(String line) {
        var escaped = line.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
