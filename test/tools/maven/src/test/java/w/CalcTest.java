package w;

import org.junit.Assert;
import org.junit.Test;

public class CalcTest {
  @Test
  public void adds() {
    Assert.assertEquals(3, Calc.add(1, 2));
  }
}
