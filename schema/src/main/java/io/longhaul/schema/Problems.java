// SPDX-License-Identifier: Apache-2.0
package io.longhaul.schema;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.OutputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The first problems that one check finds: it ends when there are enough to tell. */
final class Problems extends ExecutionContext {

    private static final int TOLD = 5;
    private static final int LONGEST_TOLD = 4_000;

    /** More say no more of one of several choices than that it does not fit. */
    private static final int KEPT_OF_A_CHOICE = 20;

    private static final int STEPS = 50;

    private final List<Error> found = getErrors();
    private final int most;

    /** @param formats whether a {@code format} must be met */
    Problems(boolean formats) {
        this(formats, TOLD);
    }

    /** @param most the number of problems at which the check ends */
    Problems(boolean formats, int most) {
        super(ExecutionConfig.builder().formatAssertionsEnabled(formats).build());
        this.most = most;
    }

    /** Looks for what is wrong with {@code value}. */
    @Nullable
    Void of(Schema schema, JsonNode value) {
        try {
            schema.validate(this, value, OutputFormat.DEFAULT);
        } catch (EnoughException e) {
            setErrors(found);
        }
        return null;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // Within a choice the validator collects into another list of its own.
    public void addError(Error error) {
        Budget.current().spend(STEPS);
        List<Error> errors = getErrors();
        if (errors == found || errors.size() < KEPT_OF_A_CHOICE) {
            super.addError(error);
        }
        if (errors == found && found.size() >= most) {
            throw new EnoughException();
        }
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    /** Each of them with its places in value and schema. */
    List<Breach> breaches() {
        return found.stream()
                .map(error -> new Breach(
                        error.getInstanceLocation().toString(),
                        error.getSchemaLocation().getFragment().toString(),
                        error.getProperty()))
                .toList();
    }

    /** What to tell of them. */
    String told() {
        String told = found.stream()
                .limit(TOLD)
                .map(error -> {
                    String at = error.getInstanceLocation().toString();
                    return at.isEmpty() || at.equals("$") ? error.getMessage() : at + ": " + error.getMessage();
                })
                .collect(Collectors.joining("; "));
        return told.length() > LONGEST_TOLD ? told.substring(0, LONGEST_TOLD) + "…" : told;
    }

    /** There are enough problems to tell. A validator passes exceptions of this kind on as they are. */
    private static final class EnoughException extends SchemaException {
        private static final long serialVersionUID = 1L;

        EnoughException() {
            super("enough problems");
        }
    }
}
