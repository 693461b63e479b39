// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Revision.Capability;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Replaces {@code @Test}: runs the test once for each generation that the client speaks. {@link TestClient} parameters
 * are of that generation, and a {@link Generation} parameter names it. {@link TestClient} parameters need a
 * {@link LonghaulExtension}.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(EveryGenerationProvider.class)
public @interface EveryGeneration {

    /** The capabilities that a generation must have, such as questions; by default all generations are used. */
    Capability[] that() default {};
}
