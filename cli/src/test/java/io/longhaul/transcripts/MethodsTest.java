package io.longhaul.transcripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every method of every version is in its transcripts, with a good answer and a refusal of each request. */
class MethodsTest {

    /** What went wrong with no request of it in any version. */
    private static final Set<String> NEVER_REFUSED = Set.of("ping");

    static List<Methods> versions() {
        return Methods.all();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void every_method_of_a_version_is_in_its_transcripts_or_is_left_out_for_a_reason(Methods version) {
        var missing = new TreeSet<String>();
        Stream.concat(version.asked().stream(), version.told().stream())
                .map(method -> "> " + method)
                .forEach(missing::add);
        Stream.concat(version.asks().stream(), version.tells().stream())
                .map(method -> "< " + method)
                .forEach(missing::add);
        sections(version).flatMap(List::stream).forEach(said -> missing.removeAll(methods(said)));
        assertThat(missing).isEqualTo(version.left().keySet());
    }

    @ParameterizedTest
    @MethodSource("versions")
    void every_request_of_a_version_is_answered_and_refused(Methods version) {
        var missing = new TreeSet<String>();
        version.asked().forEach(method -> {
            missing.add(method + " result");
            if (!NEVER_REFUSED.contains(method)) {
                missing.add(method + " error");
            }
        });
        sections(version).forEach(section -> missing.removeAll(outcomes(section)));
        assertThat(missing).isEmpty();
    }

    /** A message with its direction. */
    private record Said(boolean byClient, JsonNode message) {}

    private static Stream<List<Said>> sections(Methods version) {
        return TranscriptFile.all().stream()
                .filter(file -> file.name().startsWith(version.version()))
                .flatMap(file -> file.sections().stream().map(section -> messages(file.script(section))));
    }

    private static List<Said> messages(List<String> lines) {
        var messages = new ArrayList<Said>();
        for (var line : lines) {
            var text = line.replaceFirst("^[a-z]*[><~] (data: )?", "").replaceAll("\\$[a-z]+([,}])", "\"\":0$1");
            if (text.startsWith("{") && !line.startsWith("{")) {
                try {
                    messages.add(new Said(
                            line.matches("[a-z]*> .*"), JsonMapper.shared().readTree(text)));
                } catch (JacksonException e) {
                    // One of the messages that are none.
                }
            }
        }
        return messages;
    }

    private static List<String> methods(Said said) {
        var arrow = said.byClient() ? "> " : "< ";
        return said.message().findValuesAsString("method").stream()
                .map(method -> arrow + method)
                .toList();
    }

    private static Set<String> outcomes(List<Said> section) {
        var outcomes = new HashSet<String>();
        for (var request : section) {
            var method = request.message().path("method").asString("");
            section.stream()
                    .filter(said -> request.byClient() && !said.byClient())
                    .map(Said::message)
                    .filter(answer -> !answer.has("method")
                            && answer.path("id").equals(request.message().path("id")))
                    .forEach(answer -> outcomes.add(method + (answer.has("error") ? " error" : " result")));
        }
        return outcomes;
    }
}
