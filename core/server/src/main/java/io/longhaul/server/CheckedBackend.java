// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import io.longhaul.server.internal.schema.Values;
import java.util.Objects;
import tools.jackson.databind.node.ObjectNode;

/** A backend of a tool with an output schema: checks its good results against the schema, like those of handlers. */
final class CheckedBackend extends PassingBackend {

    private static final String STRUCTURED = "structuredContent";

    private final ResultForm form;

    CheckedBackend(Backend backend, ResultForm form) {
        super(backend);
        this.form = form;
    }

    @Override
    public Outcome run(Run run) throws Exception {
        Outcome outcome = backend.run(run);
        if (outcome instanceof Outcome.Result(var result, boolean isError) && !isError) {
            try {
                var body = Values.tree(result);
                var given = body.get(STRUCTURED);
                var checked = form.checked(given);
                return Objects.equals(checked, given)
                        ? outcome
                        : new Outcome.Result(Values.payload(((ObjectNode) body).set(STRUCTURED, checked)), false);
            } catch (McpException e) {
                return HandlerBackend.error(e);
            }
        }
        return outcome;
    }
}
