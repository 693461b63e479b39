// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import io.longhaul.authorization.discovery.Challenge;
import io.longhaul.fuzz.Target;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Input: values of {@code WWW-Authenticate}, one a line. The challenges that are read from them are read again from
 * what is written of them.
 */
public final class ChallengeTarget implements Target {

    @Override
    public void feed(byte[] input) {
        var challenge = Challenge.read(
                new String(input, StandardCharsets.ISO_8859_1).lines().toList());
        var again = Challenge.read(List.of(written(challenge)));
        Target.require(challenge.equals(again), "%s is read again as %s", challenge, again);
        challenge.scopes().forEach(scope -> Target.require(!scope.isEmpty(), "an empty scope in %s", challenge));
    }

    private static String written(Challenge challenge) {
        return challenge.schemes().entrySet().stream()
                .map(scheme -> scheme.getKey() + " "
                        + scheme.getValue().entrySet().stream()
                                .map(parameter -> parameter.getKey() + "=\"" + escaped(parameter.getValue()) + "\"")
                                .collect(Collectors.joining(", ")))
                .collect(Collectors.joining(", "));
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
