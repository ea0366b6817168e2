package conformance
import ("testing";"context";"fmt")
import "bridgesim/fakesite"
func TestZZ(t *testing.T) {
	pool := newPool(t)
	for i := range 20 {
		t.Run(fmt.Sprint(i), func(t *testing.T){
		s := State{Name:"x", Site: instant(fakesite.Options{}), Steps: open("/")}
		if _, err := playChromium(context.Background(), pool, &s); err != nil { t.Fatal(err) }
		})
	}
}
func TestZY(t *testing.T) {
	pool := newPool(t)
		var all []Step
		for range 100 { all = append(all, focus()...) }
		s := State{Name:"x", Site: instant(fakesite.Options{}), Steps: steps(open("/"),all)}
		if _, err := playChromium(context.Background(), pool, &s); err != nil { t.Fatal(err) }
}
func TestZX(t *testing.T) {
	pool := newPool(t)
		var all []Step
		for range 100 { all = append(all, focus()...) }
		s := State{Name:"x", Site: instant(fakesite.Options{}), Steps: steps(open("/"),send(hello),send(hello),send(hello),all)}
		if _, err := playChromium(context.Background(), pool, &s); err != nil { t.Fatal(err) }
}
